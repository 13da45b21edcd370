// Steps of a deal that the server did not answer. What needs none of its rules is done here, with pieces of the form
// that it sent along as templates: rows for runs and fours, and other ways of telling the same thing.
/** @param {HTMLFormElement} form @param {string} verb */
const rowsOf = (form, verb) => [...form.querySelectorAll(`[data-row="${verb}"]`)];
/** @param {HTMLElement} place @param {string} value @returns {HTMLTemplateElement | undefined} */
const pieceFor = (place, value) => /** @type {HTMLTemplateElement[]} */ ([...place.children]).find((piece) => piece.matches("template") && (piece.dataset.for ?? "").split(" ").includes(value));
/** @param {HTMLFormElement} form @param {string} name */
const placesDependingOn = (form, name) => [...form.querySelectorAll(`[data-depends-on="${name}"]`)];

// Whether a step can be done without the server.
/** @param {HTMLFormElement} form @param {string} action */
export function canTakeHere(form, action) {
  const [verb, value] = action.split(":");
  return /^(un)?(run|four)$/.test(verb) || placesDependingOn(form, verb).some((place) => pieceFor(place, value));
}

/** @param {HTMLFormElement} form @param {string} action */
export function takeStepHere(form, action) {
  const [verb, value, length] = action.split(":");
  if (verb === "run" || verb === "four") addRow(form, action, value, length);
  else if (verb === "unrun" || verb === "unfour") removeRow(form, verb.slice(2), Number(value));
  else describeBy(form, verb, value);
}

/** @param {HTMLFormElement} form @param {string} action @param {string} seat @param {string} [length] */
function addRow(form, action, seat, length) {
  const verb = action.split(":")[0], at = rowsOf(form, verb).length, player = form.querySelector(`[data-melds="${seat}"]`);
  const template = form.querySelector(`template[data-adds="${length ? `${verb}:${length}` : verb}"]`);
  if (at >= Number(template.dataset.most)) return;
  const row = document.createElement("template");
  row.innerHTML = template.innerHTML.replaceAll("{i}", String(at)).replaceAll("{seat}", seat);
  player.append(row.content);
  form.querySelector(`button[value="${action}"]`).setAttribute("aria-pressed", "true");
}

// Those behind it move up by one, so that no two ever have the same name. They stand under their players.
/** @param {HTMLFormElement} form @param {string} verb @param {number} at */
function removeRow(form, verb, at) {
  /** @param {HTMLElement} row */
  const numberOf = (row) => Number(row.querySelector("input[name]")?.getAttribute("name")?.split("-")[1]);
  const gone = rowsOf(form, verb).find((row) => numberOf(row) === at), player = gone?.closest("[data-melds]");
  gone?.remove();
  for (const tile of /** @type {NodeListOf<HTMLButtonElement>} or nothing */ (player?.querySelectorAll(`.tile[value^="${verb}:"]`) ?? [])) {
    const length = tile.value.split(":")[2], left = rowsOf(form, verb).filter((row) => player?.contains(row) && (!length || row.dataset.length === length));
    tile.setAttribute("aria-pressed", String(left.length > 0));
  }
  for (const row of rowsOf(form, verb)) {
    const i = numberOf(row) - Number(numberOf(row) > at);
    for (const part of /** @type {NodeListOf<HTMLButtonElement>} or another element */ (row.querySelectorAll("[name], [id]"))) {
      for (const name of ["name", "id", "data-at"]) {
        if (part.hasAttribute(name)) part.setAttribute(name, (part.getAttribute(name) ?? "").replace(/^((?:at-)?(?:runs|fours)-)\d+/, (_all, start) => start + i));
      }
      if (part.name === "do") part.value = `un${verb}:${i}`;
    }
  }
}

// The same deal described in another way: what was typed stands in its fields.
/** @param {HTMLFormElement} form @param {string} name @param {string} value */
function describeBy(form, name, value) {
  if (form.elements[name].value === value) return;
  const typed = new FormData(form), places = placesDependingOn(form, name);
  for (const place of places) {
    const piece = pieceFor(place, value);
    place.replaceChildren(...place.querySelectorAll(":scope > template"), ...(piece ? [piece.content.cloneNode(true)] : []));
  }
  if (name === "counting") for (const part of form.querySelectorAll(".dock .cardpad, .turn")) part.remove();
  form.elements[name].value = value;
  form.classList.remove("unplayed");
  for (const tab of form.querySelectorAll(`.tab[value^="${name}:"]`)) tab.setAttribute("aria-pressed", String(tab.getAttribute("value") === `${name}:${value}`));
  for (const input of places.flatMap((place) => /** @type {HTMLInputElement[]} */ ([...place.querySelectorAll("input")]))) {
    if (input.type === "checkbox") input.checked = typed.getAll(input.name).includes(input.value);
    else if (!typed.has(input.name)) continue;
    else if (input.type === "radio") input.checked = input.value === typed.get(input.name);
    else input.value = String(typed.get(input.name));
  }
}
