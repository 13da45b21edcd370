// The new match: names by a tap, everything that speaks of a player called by that name, and a page that
// follows how many play. The server makes every form; what is typed stays in it.
const form = document.getElementById("new");
const all = (selector) => [...form.querySelectorAll(selector)];
const fields = () => all("input[data-seat]");
let focusedField = null;

function showNames() {
  const typed = new Map(fields().map((field) => [field.dataset.seat, field.value.trim()]));
  for (const place of all("[data-name-of]")) {
    const seat = place.dataset.nameOf;
    place.textContent = typed.get(seat) || form.querySelector(`[data-called="${seat}"]`).textContent;
  }
  for (const chip of all("[data-name]")) {
    chip.setAttribute("aria-pressed", [...typed.values()].includes(chip.dataset.name));
  }
}

// A house rule stands on the page only while another one leaves something for it to say.
function showHouseRules() {
  const holds = ([name, value]) => {
    const choice = form.elements[`rule-${name}`];
    const element = choice instanceof RadioNodeList ? choice[0] : choice;
    if (!element || element.closest("[data-ways][hidden]")) return false;
    return value === "1.." ? Number(choice.value) >= 1 : choice.value === value;
  };
  for (const element of all("[data-ways]")) {
    element.hidden = !JSON.parse(element.dataset.ways).some((way) => Object.entries(way).every(holds));
  }
}

function prepareForm() {
  for (const chips of all("[data-chips]")) chips.hidden = false;
  for (const element of all("[data-nojs]")) element.hidden = true; // a tap shows it by itself
  focusedField = null;
  showNames();
  showHouseRules();
}

// Another number of players has other places and other house rules: the form is exchanged for theirs.
async function reseat() {
  const data = new FormData(form);
  data.set("step", "show");
  const page = await (await fetch(form.action, { method: "POST", body: data })).text();
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("new");
  for (const field of fields()) {
    const place = fresh.querySelector(`[name="${field.name}"]`);
    if (place) place.value = field.value; // typed meanwhile
  }
  const open = all("details").map((element) => element.open);
  const focused = document.activeElement;
  form.replaceChildren(...fresh.childNodes);
  all("details").forEach((element, place) => { element.open = open[place]; });
  all("input").find((element) => element.name === focused.name && element.value === focused.value)?.focus({ preventScroll: true });
  prepareForm();
}

form.addEventListener("change", ({ target }) => {
  // Another game or preset has other choices: the page is made anew, with what was typed.
  const reloadPage = () => form.querySelector('button[value="show"]')?.click();
  if (target.name === "game" || target.name === "preset") reloadPage();
  if (target.name === "table") reseat().catch(reloadPage);
});
form.addEventListener("input", () => { showNames(); showHouseRules(); });
form.addEventListener("focusin", ({ target }) => { if (target.dataset.seat) focusedField = target; });
form.addEventListener("click", (event) => {
  const name = event.target.closest("[data-name]")?.dataset.name;
  if (!name) return;
  const holder = fields().find((field) => field.value.trim() === name);
  if (holder) holder.value = "";
  else {
    const empty = focusedField && !focusedField.value.trim() ? focusedField : fields().find((field) => !field.value.trim());
    (empty ?? focusedField ?? fields().at(-1)).value = name;
  }
  focusedField = null;
  showNames();
});
prepareForm();
