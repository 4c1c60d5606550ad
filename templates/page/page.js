// Shows one sheet at a time: a step, as seen from somewhere, in a language.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);
  const steps = [...document.querySelectorAll("[data-step]")];
  const views = [...document.querySelectorAll("[data-view]")];
  const parts = [...document.querySelectorAll("[data-part]")];
  const langs = Object.keys(data.sheets);
  const sheet = $("sheet");
  const at = { step: 0, view: views.length - 1, lang: root.lang };

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

  const moves = {
    first: () => go(0),
    previous: () => go(at.step - 1),
    next: () => go(at.step + 1),
    last: () => go(steps.length - 1),
    lang: speak,
    theme: shade,
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
    l: speak, t: shade,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[1-9]$/.test(key)) look(Number(key) - 1);
    else if (Object.hasOwn(keys, key)) keys[key]();
    else return;
    event.preventDefault();
  });

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
    at.step = Math.max(0, Math.min(steps.length - 1, (parseInt(step, 10) || 1) - 1));
    const seen = views.findIndex((button) => button.dataset.view === view);
    if (seen >= 0) at.view = seen;
    if (langs.includes(lang)) at.lang = lang;
  };
  addEventListener("hashchange", () => { find(); show(); });
  phone.addEventListener("change", show);
  addEventListener("resize", point);

  root.classList.add("scripted");
  find();
  show();
})();
