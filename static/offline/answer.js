// The page of an answer in the place of this one: why what was sent was not written, with all of it to be changed.
/** @param {string} html */
export function showAnswer(html) {
  const answer = new DOMParser().parseFromString(html, "text/html"), note = answer.getElementById("refused");
  if (note) return putOnTop(note);
  const main = document.getElementById("main"), fresh = answer.getElementById("main");
  for (const form of fresh.querySelectorAll("form[id]")) {
    const old = main.querySelector(`form#${CSS.escape(form.id)}`);
    if (!old) continue;
    // Scripts know the old element: it gets what the new one has.
    for (const { name } of [...old.attributes]) old.removeAttribute(name);
    for (const { name, value } of form.attributes) old.setAttribute(name, value);
    old.replaceChildren(...form.childNodes);
    form.replaceWith(old);
  }
  main.replaceChildren(...fresh.childNodes);
  document.querySelector("header.top").replaceWith(answer.querySelector("header.top"));
  document.body.className = answer.body.className;
  document.title = answer.title;
  for (const name of ["page:exchanged", "deal:exchanged", "outbox:changed"]) document.dispatchEvent(new Event(name));
  const places = ["[autofocus]", "[role=alert]:not([hidden])", ".error:not(:empty)", "h1"];
  const first = places.map((place) => main.querySelector(place)).find(Boolean);
  if (first && !first.matches("input, button, select, textarea")) first.tabIndex = -1;
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: "center" });
}

// Who may not write here any more keeps the page, with all that was typed.
/** @param {HTMLElement} note */
function putOnTop(note) {
  document.getElementById("refused")?.remove();
  document.querySelector(".matter").prepend(note);
  note.hidden = false;
  note.tabIndex = -1;
  note.focus({ preventScroll: true });
  note.scrollIntoView({ block: "center" });
}
