//! The sources of the program, parsed and without their tests.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, Item, TraitItem, UseTree, Visibility};

/// The crates of the program, the lowest first.
const CRATES: [&str; 8] =
    ["rules", "tables", "games", "store", "letters", "desk", "discord", "terminal"];

/// All files of the program in `src`, parsed once for all tests.
static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let read_crate = |name: &str| {
        let root = Path::new("src").join(name).join("lib.rs");
        let mut sources = Vec::new();
        read(&root, vec![name.to_owned()], &mut sources);
        sources
    };
    thread::scope(|scope| {
        let readers = CRATES.map(|name| scope.spawn(move || read_crate(name)));
        readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect()
    })
});

/// A file of the program, without its tests.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The module of the file, its crate first: `["desk", "view"]` is `view` of the crate `desk`.
    pub(crate) module: Vec<String>,
    /// Every named path.
    pub(crate) names: Vec<Named>,
    /// Every word and every text, without documentation.
    pub(crate) words: Vec<Word>,
    /// The items that other modules can use; a module explains itself in its own file.
    pub(crate) public: Vec<PublicItem>,
    /// The number of lines that are neither tests nor comments nor empty.
    pub(crate) lines: usize,
    /// The number of own methods of each type, without those of its traits.
    pub(crate) methods: BTreeMap<String, usize>,
    /// The words of each signature and of each list of fields.
    declared: Vec<Vec<Word>>,
}

/// An item that other modules can use.
#[derive(Debug)]
pub(crate) struct PublicItem {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) is_type: bool,
    pub(crate) is_explained: bool,
}

/// A path that a source names. A path of the workspace begins with `crate` and the name of its crate:
/// `crate::desk::Desk`, `std::fs::read`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) line: usize,
    pub(crate) path: Vec<String>,
    /// The name that a `use` imports into the file.
    brings: Option<String>,
    /// True for a `use` of a glob.
    is_glob: bool,
}

/// A word or a text in the code.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) line: usize,
    pub(crate) text: String,
}

impl Source {
    /// Returns all files of the program in `src`.
    pub(crate) fn all() -> &'static [Source] {
        &SOURCES
    }

    fn of(path: PathBuf, module: Vec<String>, items: &[Item], lines: usize) -> Self {
        let mut named = Vec::new();
        names(&Scope::of(&module, items), items, &mut named);
        Self {
            path,
            module,
            names: named,
            words: items.iter().flat_map(|item| words(item.to_token_stream())).collect(),
            public: items.iter().filter_map(PublicItem::of).collect(),
            lines,
            methods: methods(items),
            declared: declared(items).into_iter().map(words).collect(),
        }
    }

    /// True if the file is in this folder, or is this file.
    pub(crate) fn is_in(&self, place: &str) -> bool {
        self.path.starts_with(place)
    }

    /// Returns the lines on which a signature or a field names a type.
    pub(crate) fn lines_with_type(&self, name: &str) -> BTreeSet<usize> {
        let words = self.declared.iter().flatten();
        words.filter(|word| word.text == name).map(|word| word.line).collect()
    }

    /// Returns the lines on which a signature or a field of this name has a text as its type.
    pub(crate) fn lines_with_text(&self, name: &str) -> BTreeSet<usize> {
        let is_of_it = |word: &&Word| !["Option", "mut", "a", "w"].contains(&word.text.as_str());
        let mut lines = BTreeSet::new();
        for words in &self.declared {
            for (at, _) in words.iter().enumerate().filter(|(_, word)| word.text == name) {
                let given = words[at + 1..].iter().find(is_of_it);
                let given = given.filter(|word| ["str", "String"].contains(&word.text.as_str()));
                lines.extend(given.map(|word| word.line));
            }
        }
        lines
    }
}

impl PublicItem {
    fn of(item: &Item) -> Option<Self> {
        let (visibility, name, attributes, is_type) = match item {
            Item::Const(item) => (&item.vis, &item.ident, &item.attrs, false),
            Item::Enum(item) => (&item.vis, &item.ident, &item.attrs, true),
            Item::Fn(item) => (&item.vis, &item.sig.ident, &item.attrs, false),
            Item::Static(item) => (&item.vis, &item.ident, &item.attrs, false),
            Item::Struct(item) => (&item.vis, &item.ident, &item.attrs, true),
            Item::Trait(item) => (&item.vis, &item.ident, &item.attrs, true),
            Item::Type(item) => (&item.vis, &item.ident, &item.attrs, true),
            _ => return None,
        };
        matches!(visibility, Visibility::Public(_)).then(|| Self {
            line: item.span().start().line,
            name: name.to_string(),
            is_type,
            is_explained: attributes.iter().any(|attribute| attribute.path().is_ident("doc")),
        })
    }
}

/// Returns the number of own methods of each type, without those of its traits.
fn methods(items: &[Item]) -> BTreeMap<String, usize> {
    let mut methods = BTreeMap::new();
    for item in items {
        let Item::Impl(item) = item else { continue };
        let syn::Type::Path(of) = &*item.self_ty else { continue };
        let functions = item.items.iter().filter(|item| matches!(item, ImplItem::Fn(_)));
        if item.trait_.is_none() {
            let name = of.path.segments.last().expect("a path has an end").ident.to_string();
            *methods.entry(name).or_default() += functions.count();
        }
    }
    methods
}

/// Returns the signatures and fields of some items.
fn declared(items: &[Item]) -> Vec<TokenStream> {
    let of = |item: &Item| match item {
        Item::Fn(item) => vec![item.sig.to_token_stream()],
        Item::Struct(item) => vec![item.fields.to_token_stream()],
        Item::Enum(item) => {
            item.variants.iter().map(|variant| variant.fields.to_token_stream()).collect()
        }
        Item::Impl(item) => {
            let methods = item.items.iter().filter_map(|item| match item {
                ImplItem::Fn(method) => Some(method.sig.to_token_stream()),
                _ => None,
            });
            methods.collect()
        }
        Item::Trait(item) => {
            let methods = item.items.iter().filter_map(|item| match item {
                TraitItem::Fn(method) => Some(method.sig.to_token_stream()),
                _ => None,
            });
            methods.collect()
        }
        Item::Mod(item) => item.content.iter().flat_map(|(_, items)| declared(items)).collect(),
        _ => Vec::new(),
    };
    items.iter().flat_map(of).collect()
}

/// A module with the names of its submodules, which shadow crates of the same name.
struct Scope<'s> {
    module: &'s [String],
    inside: BTreeSet<String>,
}

impl<'s> Scope<'s> {
    fn of(module: &'s [String], items: &[Item]) -> Self {
        let name = |item: &Item| match item {
            Item::Mod(item) => Some(item.ident.to_string()),
            _ => None,
        };
        Self { module, inside: items.iter().filter_map(name).collect() }
    }

    fn is_crate(&self, name: &str) -> bool {
        CRATES.contains(&name) && !self.inside.contains(name)
    }
}

/// Collects the paths that items of a module name.
fn names(scope: &Scope<'_>, items: &[Item], found: &mut Vec<Named>) {
    for item in items {
        match item {
            Item::Use(item) => {
                let line = item.span().start().line;
                let mut paths = Vec::new();
                branches(&item.tree, &mut Vec::new(), &mut paths);
                let module = scope.module;
                // `::rules` means the crate even if a module has the same name.
                let outside = Scope { module, inside: BTreeSet::new() };
                let scope = if item.leading_colon.is_some() { &outside } else { scope };
                found.extend(paths.into_iter().map(|(path, brings)| Named {
                    line,
                    path: from_root(scope, path),
                    is_glob: brings.is_none(),
                    brings,
                }));
            }
            Item::Mod(item) => {
                if let Some((_, items)) = &item.content {
                    let module = [scope.module, &[item.ident.to_string()]].concat();
                    names(&Scope::of(&module, items), items, found);
                }
            }
            other => paths(scope, other.to_token_stream(), found),
        }
    }
}

/// Reads a file and the files of its modules.
fn read(path: &Path, module: Vec<String>, sources: &mut Vec<Source>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut file =
        syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut is_code = vec![true; text.lines().count()];
    without_tests(&mut file.items, &mut is_code);
    let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib" | "main") => path.parent().unwrap().to_owned(),
        _ => path.with_extension(""),
    };
    for item in &file.items {
        let Item::Mod(item) = item else { continue };
        if item.content.is_some() {
            continue;
        }
        let name = item.ident.to_string();
        let beside = folder.join(format!("{name}.rs"));
        let inside = folder.join(&name).join("mod.rs");
        let path = if beside.is_file() { beside } else { inside };
        read(&path, [&module[..], &[name]].concat(), sources);
    }
    let is_comment = |line: &str| line.is_empty() || line.starts_with("//");
    let code = text.lines().zip(is_code).filter(|(line, code)| *code && !is_comment(line.trim()));
    let lines = code.count();
    sources.push(Source::of(path.to_owned(), module, &file.items, lines));
}

/// Removes the tests, and marks their lines.
fn without_tests(items: &mut Vec<Item>, is_code: &mut [bool]) {
    items.retain_mut(|item| {
        if attributes(item).iter().any(is_for_tests) {
            let span = item.span();
            is_code[span.start().line - 1..span.end().line].fill(false);
            return false;
        }
        if let Item::Mod(item) = item
            && let Some((_, items)) = &mut item.content
        {
            without_tests(items, is_code);
        }
        true
    });
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
}

/// Returns the attributes of an item.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        other => panic!("no such item was met before: {other:?}"),
    }
}

/// Collects the paths of a `use` with their imported names; `None` for a glob.
fn branches(
    tree: &UseTree,
    before: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Option<String>)>,
) {
    let with = |name: String| [&before[..], &[name]].concat();
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            branches(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            found.push((before.clone(), before.last().cloned()));
        }
        UseTree::Name(name) => {
            found.push((with(name.ident.to_string()), Some(name.ident.to_string())));
        }
        UseTree::Rename(rename) => {
            found.push((with(rename.ident.to_string()), Some(rename.rename.to_string())));
        }
        UseTree::Glob(_) => found.push((before.clone(), None)),
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| branches(tree, before, found));
        }
    }
}

/// Resolves a path: `super::x` in `desk::view` is `crate::desk::x`, and so is `crate::x` there; `rules::x` is
/// `crate::rules::x`.
fn from_root(scope: &Scope<'_>, path: Vec<String>) -> Vec<String> {
    let module = scope.module;
    let up = path.iter().take_while(|name| *name == "super").count();
    let root = || vec!["crate".to_owned()];
    match path.first().map(String::as_str) {
        Some("super") => {
            [root(), module[..module.len() - up].to_vec(), path[up..].to_vec()].concat()
        }
        Some("self") => [root(), module.to_vec(), path[1..].to_vec()].concat(),
        Some("crate") => [root(), module[..1].to_vec(), path[1..].to_vec()].concat(),
        Some(name) if path.len() > 1 && scope.is_crate(name) => [root(), path].concat(),
        _ => path,
    }
}

/// Collects the paths of two or more names in code other than `use`.
fn paths(scope: &Scope<'_>, tokens: TokenStream, found: &mut Vec<Named>) {
    let mut path = Vec::new();
    let mut line = 0;
    let mut colons = 0;
    let mut end = |path: &mut Vec<String>, line| {
        if path.len() > 1 {
            let path = from_root(scope, std::mem::take(path));
            found.push(Named { line, path, brings: None, is_glob: false });
        }
        path.clear();
    };
    let mut inside = Vec::new();
    for token in code(tokens) {
        match token {
            TokenTree::Ident(name) => {
                if colons != 2 {
                    end(&mut path, line);
                    line = name.span().start().line;
                }
                path.push(name.to_string());
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {
                colons += 1;
                continue;
            }
            TokenTree::Group(group) => {
                end(&mut path, line);
                inside.push(group.stream());
            }
            _ => end(&mut path, line),
        }
        colons = 0;
    }
    end(&mut path, line);
    for tokens in inside {
        paths(scope, tokens, found);
    }
}

/// Returns every word and every text, without documentation.
fn words(tokens: TokenStream) -> Vec<Word> {
    let mut words = Vec::new();
    collect_words(tokens, &mut words);
    words
}

fn collect_words(tokens: TokenStream, words: &mut Vec<Word>) {
    for token in code(tokens) {
        let line = token.span().start().line;
        match token {
            TokenTree::Group(group) => collect_words(group.stream(), words),
            TokenTree::Ident(word) => words.push(Word { line, text: word.to_string() }),
            TokenTree::Literal(text) => words.push(Word { line, text: text.to_string() }),
            TokenTree::Punct(_) => {}
        }
    }
}

/// Returns the tokens without documentation.
fn code(tokens: TokenStream) -> impl Iterator<Item = TokenTree> {
    let mut after_hash = false;
    let is_doc = |token: &TokenTree| {
        let TokenTree::Group(group) = token else { return false };
        group.delimiter() == Delimiter::Bracket
            && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(word)) if word == "doc")
    };
    tokens.into_iter().filter(move |token| {
        let is_doc = after_hash && is_doc(token);
        after_hash = matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
        !is_doc
    })
}

/// Returns the circles in which files name each other: within a circle, each file can be reached from each,
/// by the files that define the named things. The largest circle comes first.
pub(crate) fn circles(sources: &[Source]) -> Vec<Vec<&Source>> {
    let modules: BTreeMap<&[String], usize> =
        sources.iter().enumerate().map(|(at, source)| (&source.module[..], at)).collect();
    let brought = sources.iter().map(|source| brought(&source.names)).collect();
    let house = House { sources, modules, brought };
    let arrows: Vec<BTreeSet<usize>> = (0..sources.len()).map(|at| house.named_by(at)).collect();
    let reached: Vec<BTreeSet<usize>> = (0..sources.len()).map(|at| reach(&arrows, at)).collect();
    let mut circles: Vec<Vec<&Source>> = Vec::new();
    for at in 0..sources.len() {
        let circle = reached[at].iter().filter(|other| reached[**other].contains(&at));
        let circle: Vec<usize> = circle.copied().collect();
        if circle.len() > 1 && circle[0] == at {
            circles.push(circle.into_iter().map(|at| &sources[at]).collect());
        }
    }
    circles.sort_by_key(|circle| Reverse(circle.len()));
    circles
}

/// Returns all files that can be reached from one.
fn reach(named: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        next.extend(named[at].iter().copied().filter(|other| reached.insert(*other)));
    }
    reached
}

/// Returns the imports of a file by their names in it.
fn brought(names: &[Named]) -> BTreeMap<&str, &Named> {
    names.iter().filter_map(|named| Some((named.brings.as_deref()?, named))).collect()
}

/// All files with their named paths.
struct House<'s> {
    sources: &'s [Source],
    modules: BTreeMap<&'s [String], usize>,
    brought: Vec<BTreeMap<&'s str, &'s Named>>,
}

impl House<'_> {
    /// Returns the other files whose definitions a file names.
    fn named_by(&self, at: usize) -> BTreeSet<usize> {
        let own = &self.sources[at].module;
        let globs = self.sources[at].names.iter().filter(|named| named.is_glob);
        let globs: BTreeSet<&[String]> = globs.map(|named| &named.path[1..]).collect();
        let paths: BTreeSet<Vec<String>> =
            self.sources[at].names.iter().filter_map(|named| self.whole(at, &named.path)).collect();
        let is_named = |path: &&Vec<String>| {
            // A module itself is named by its contents, and by `pub(in …)`.
            let is_module = self.modules.contains_key(&path[..]);
            !is_module || (globs.contains(&path[..]) && !own.starts_with(path))
        };
        let named = paths.iter().filter(is_named).filter_map(|path| self.defining(path, 0));
        named.filter(|other| *other != at).collect()
    }

    /// Returns a path of the workspace from its root, without `crate`; the first name may be imported or a
    /// submodule. `None` for other paths.
    fn whole(&self, at: usize, path: &[String]) -> Option<Vec<String>> {
        if path[0] == "crate" {
            return Some(path[1..].to_vec());
        }
        let brought = self.brought[at].get(path[0].as_str());
        if let Some(brought) = brought.filter(|brought| brought.path[0] == "crate") {
            return Some([&brought.path[1..], &path[1..]].concat());
        }
        let below = [&self.sources[at].module[..], path].concat();
        self.modules.contains_key(&below[..=self.sources[at].module.len()]).then_some(below)
    }

    /// Returns the file that defines a path, through re-exports.
    fn defining(&self, path: &[String], depth: usize) -> Option<usize> {
        let deepest =
            (0..=path.len()).rev().find(|end| self.modules.contains_key(&path[..*end]))?;
        let at = self.modules[&path[..deepest]];
        let Some(name) = path.get(deepest).filter(|_| depth < 8) else { return Some(at) };
        let brought = self.brought[at].get(name.as_str());
        let whole = brought.and_then(|brought| self.whole(at, &brought.path));
        match whole.filter(|whole| whole[..] != path[..=deepest]) {
            Some(whole) => self.defining(&[&whole, &path[deepest + 1..]].concat(), depth + 1),
            None => Some(at),
        }
    }
}
