// Shows one sheet at a time: a step, as seen from somewhere, in a language.
(() => {
  const source = document.getElementById("data");
  const data = JSON.parse(source.textContent);
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);
  const steps = [...document.querySelectorAll("[data-step]")];
  const views = [...document.querySelectorAll("[data-view]")];
  const parts = [...document.querySelectorAll("[data-part]")];
  const langs = Object.keys(data.sheets);
  const sheet = $("sheet");
  const at = { step: steps.length - 1, view: views.length - 1, lang: root.lang };

  // Sheets and pictures are kept as the numbers of their lines, as most lines come many times.
  const text = (lines) => lines.map((line) => data.lines[line]).join("\n");
  const words = (button) => {
    const said = [...button.querySelectorAll(`bdi, [lang="${at.lang}"]`)];
    return said.map((part) => part.textContent).join(" ");
  };

  // What is chosen can be seen where its row is longer than the page is wide.
  const reveal = (button) => {
    const row = button.closest(".chips");
    const middle = button.offsetLeft - row.offsetLeft + button.offsetWidth / 2;
    row.scrollLeft = middle - row.clientWidth / 2;
  };

  // On a phone, the picture that is made for one.
  const phone = matchMedia("(max-width: 52rem)");
  const paint = () => {
    for (const picture of sheet.querySelectorAll("[data-board]")) {
      let number = picture.dataset.board;
      if (phone.matches) [number, picture.width, picture.height] = picture.dataset.narrow.split(" ");
      const svg = text(data.boards[number]);
      picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    }
  };

  // The parts of the game, or else its steps, and a curve of every player's number over them.
  const SHAPES = ["", "6 4", "2 3", "9 3 2 3", "12 5", "1 5"];
  const drawn = (name, attributes, parent) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return parent.appendChild(made);
  };
  const draw = () => {
    const strip = $("strip");
    strip.replaceChildren();
    const pieces = parts.length ? parts : steps;
    for (const piece of pieces) {
      const segment = document.createElement("i");
      const held = steps.filter((step) => step === piece || step.dataset.of === piece.dataset.part);
      segment.style.flexGrow = held.length;
      const name = parts.length ? words(piece) : "";
      // Where there is little room, the number of a part is its name.
      const isLong = parts.length > 8 || phone.matches;
      segment.textContent = (isLong && name.match(/\d+/)?.[0]) || name;
      segment.classList.toggle("here", held.includes(steps[at.step]));
      strip.append(segment);
    }
    $("legend").replaceChildren();
    if (!data.curves.length) return;
    const most = Math.max(1, ...data.curves.flatMap((curve) => curve.values));
    const box = { viewBox: `0 0 ${steps.length} 100`, preserveAspectRatio: "none" };
    const svg = drawn("svg", box, strip);
    data.curves.forEach(({ seat, values }, number) => {
      const look = { class: `c${number % 6}`, "stroke-dasharray": SHAPES[number % 6] };
      const points = values.map((value, step) => (value === null ? [] : [step + 0.5, 96 - (Math.max(0, value) * 92) / most]));
      drawn("polyline", { ...look, points: points.flat().join(" "), "vector-effect": "non-scaling-stroke" }, svg);
      const item = $("legend").appendChild(document.createElement("li"));
      const key = drawn("svg", { viewBox: "0 0 28 8" }, item);
      drawn("polyline", { ...look, points: "0,4 28,4" }, key);
      item.append(` ${seat} ${values[at.step] ?? "–"}`);
    });
  };

  const point = () => {
    reveal(steps[at.step]);
    reveal(views[at.view]);
    if (parts.length) reveal(parts[steps[at.step].dataset.of]);
  };

  // Where it is stands in the address, once somebody has stayed there: a browser that is told of
  // every step of a key held down complains. A page shown within another has no address of its own.
  let placing = 0;
  const place = () => {
    const here = `#${at.step + 1}-${views[at.view].dataset.view}-${at.lang}`;
    try { history.replaceState(null, "", here); } catch { /* it goes without */ }
  };

  const show = () => {
    root.lang = at.lang;
    $("result").innerHTML = text(data.results[at.lang]);
    document.title = $("result").firstElementChild.dataset.title;
    sheet.innerHTML = text(data.sheets[at.lang][at.step][at.view]);
    paint();
    const part = steps[at.step].dataset.of;
    for (const button of steps) button.parentElement.hidden = button.dataset.of !== part;
    parts.forEach((button) => {
      if (button.dataset.part === part) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    steps.forEach((button, step) => {
      if (step === at.step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    views.forEach((button, view) => button.setAttribute("aria-pressed", view === at.view));
    point();
    const is = (id, out) => $(id).setAttribute("aria-disabled", out);
    for (const id of ["first", "previous"]) is(id, at.step === 0);
    for (const id of ["next", "last"]) is(id, at.step === steps.length - 1);
    const named = parts.length ? `${words(parts[part])} · ` : "";
    const where = `${named}${words(steps[at.step])} (${at.step + 1}/${steps.length})`;
    $("where").textContent = `${where} · ${words(views[at.view])}`;
    draw();
    $("slider").value = at.step + 1;
    $("slider").setAttribute("aria-valuetext", where);
    clearTimeout(placing);
    placing = setTimeout(place, 300);
  };

  // What was further down is not where a new sheet begins.
  const rise = () => {
    if (sheet.getBoundingClientRect().top < 0) sheet.scrollIntoView({ block: "start" });
  };

  const go = (step) => {
    const to = Math.max(0, Math.min(steps.length - 1, step));
    if (to === at.step) return;
    at.step = to;
    show();
    rise();
  };
  const look = (view) => {
    if (view < 0 || view >= views.length) return;
    at.view = view;
    show();
  };
  const speak = () => {
    at.lang = langs[(langs.indexOf(at.lang) + 1) % langs.length];
    show();
  };
  const shade = () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };

  // Goes on by itself, from the beginning if it has come to the end.
  let playing = 0;
  const halt = () => {
    clearInterval(playing);
    playing = 0;
    $("play").setAttribute("aria-pressed", false);
  };
  const play = () => {
    if (playing) return halt();
    if (at.step === steps.length - 1) go(0);
    $("play").setAttribute("aria-pressed", true);
    playing = setInterval(() => {
      go(at.step + 1);
      if (at.step === steps.length - 1) halt();
    }, 1800);
  };

  const copy = () => {
    clearTimeout(placing);
    place();
    const tell = (is) => {
      for (const note of document.querySelectorAll("[data-linked]")) {
        note.hidden = note.dataset.linked !== is;
      }
    };
    // A page without an address that is trusted may not reach the clipboard.
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
    copied.then(() => tell("yes"), () => tell("no"));
  };

  const moves = {
    first: () => go(0),
    previous: () => go(at.step - 1),
    next: () => go(at.step + 1),
    last: () => go(steps.length - 1),
    lang: speak,
    theme: shade,
    play,
    link: copy,
  };
  for (const [id, move] of Object.entries(moves)) $(id).addEventListener("click", move);
  steps.forEach((button, step) => button.addEventListener("click", () => go(step)));
  views.forEach((button, view) => button.addEventListener("click", () => look(view)));
  parts.forEach((button) => button.addEventListener("click", () => {
    go(steps.findIndex((step) => step.dataset.of === button.dataset.part));
  }));
  sheet.addEventListener("click", (event) => {
    const button = event.target.closest("[data-larger]");
    if (!button) return;
    const large = button.closest("figure").classList.toggle("large");
    button.setAttribute("aria-pressed", large);
  });

  const keys = {
    ArrowLeft: moves.previous, ArrowRight: moves.next, Home: moves.first, End: moves.last,
    l: speak, t: shade, p: play, c: copy,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === $("own")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[1-9]$/.test(key)) look(Number(key) - 1);
    else if (Object.hasOwn(keys, key)) keys[key]();
    else return;
    event.preventDefault();
  });

  $("slider").addEventListener("input", () => go(Number($("slider").value) - 1));

  let began = null;
  sheet.addEventListener("touchstart", (event) => {
    const one = event.touches.length === 1 && !event.target.closest(".large");
    began = one ? event.touches[0] : null;
  }, { passive: true });
  sheet.addEventListener("touchend", (event) => {
    if (!began) return;
    const ended = event.changedTouches[0];
    const [across, down] = [ended.clientX - began.clientX, ended.clientY - began.clientY];
    began = null;
    // A swipe goes clearly sideways.
    if (Math.abs(across) < 60 || Math.abs(across) < 2 * Math.abs(down)) return;
    (across < 0 ? moves.next : moves.previous)();
  }, { passive: true });

  const find = () => {
    const [step, view, lang] = location.hash.slice(1).split("-");
    const number = parseInt(step, 10) || steps.length;
    at.step = Math.max(0, Math.min(steps.length - 1, number - 1));
    const seen = views.findIndex((button) => button.dataset.view === view);
    if (seen >= 0) at.view = seen;
    if (langs.includes(lang)) at.lang = lang;
  };
  addEventListener("hashchange", () => { find(); show(); });
  phone.addEventListener("change", show);
  addEventListener("resize", point);

  // The step that a record belongs to, and the one in which a window closed.
  const MADE = ["dealt", "closed", "over"];
  const told = { faults: [] };
  const stepOf = (entry) =>
    told.entries.slice(0, entry + 1).filter(({ kind }) => MADE.includes(kind)).length - 1;
  const closing = (window) =>
    told.entries?.findIndex((entry) => entry.kind === "closed" && entry.number === window) ?? -1;
  const fill = (line, found) => {
    const entry = found.entry ?? closing(found.number);
    const step = entry < 0 ? undefined : steps[stepOf(entry)];
    for (const place of line.querySelectorAll("[data-of]")) {
      const lang = place.closest("[lang]").lang;
      const title = step?.querySelector(`[lang="${lang}"]`).textContent ?? "–";
      const said = { ...found, seat: `P${found.seat + 1}`, step: title };
      place.textContent = said[place.dataset.of];
    }
    line.hidden = false;
  };

  const verify = () => {
    const { faults } = told;
    try {
      Object.assign(told, Verification.verify(data.record));
      faults.push(...told.faults);
      const [{ seed, commitment }] = data.record.tables;
      const isOwn = $("seed").textContent === seed && $("commitment").textContent === commitment;
      if (!isOwn) faults.push({ what: "footer" });
    } catch { faults.push({ what: "data" }); }
    if (Verification.hashOf(source.textContent) !== source.dataset.hash) faults.push({ what: "text" });
    const line = (what) => document.querySelector(`[data-found="${what}"]`);
    for (const fault of faults) {
      const copied = line(fault.what).cloneNode(true);
      fill(copied, fault);
      $("found").append(copied);
    }
    if (faults.length) return;
    for (const place of line("right").querySelectorAll("[data-n]")) {
      place.textContent = told.count[place.dataset.n];
    }
    line("right").hidden = false;
  };

  // Whether somebody's receipt, or a head of the journal, is in this game.
  const compare = () => {
    const said = Verification.read($("own").value);
    const is = ({ code, hash }) => said === code || said === hash;
    const receipt = told.receipts?.find(is);
    const entry = told.heads?.findIndex(is) ?? -1;
    let answer = said ? "unknown" : "unreadable";
    if (receipt) answer = "receipt";
    else if (entry >= 0) answer = "head";
    for (const line of $("answer").children) {
      line.hidden = line.dataset.answer !== answer || !$("own").value.trim();
      if (!line.hidden) fill(line, receipt ?? { entry, number: entry });
    }
  };
  $("own").addEventListener("input", compare);

  root.classList.add("scripted");
  verify();
  find();
  show();
})();
