// Shows the page of an answer in place of this one: why the entry was not written, with all that was sent, to be changed.
/** @param {string} html */
export function showAnswer(html) {
  const answer = new DOMParser().parseFromString(html, "text/html"), note = answer.getElementById("refused");
  if (note) return putOnTop(note);
  const main = document.getElementById("main"), fresh = answer.getElementById("main");
  for (const form of fresh.querySelectorAll("form[id]")) {
    const old = main.querySelector(`form#${CSS.escape(form.id)}`);
    if (!old) continue;
    // Scripts hold the old element: it gets the contents of the new one.
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

// Shows a note on top of the page, with all that was typed, for a player who may no longer write.
/** @param {HTMLElement} note */
function putOnTop(note) {
  document.getElementById("refused")?.remove();
  document.querySelector(".matter").prepend(note);
  note.hidden = false;
  note.tabIndex = -1;
  note.focus({ preventScroll: true });
  note.scrollIntoView({ block: "center" });
}
