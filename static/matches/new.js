// The new match: names by a tap, everything that speaks of a player called by that name, and a page that
// follows how many play. The server makes every form; what is typed stays in it.
const form = document.getElementById("new");
const all = (selector) => [...form.querySelectorAll(selector)];
const fields = () => all("input[data-seat]");
let here = null;

function call() {
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
function matter() {
  for (const one of all("[data-needs]")) {
    one.hidden = !Object.entries(JSON.parse(one.dataset.needs)).every(([name, value]) => {
      const told = form.elements[`rule-${name}`]?.value;
      return value === "1.." ? Number(told) >= 1 : told === value;
    });
  }
}

function show() {
  for (const chips of all("[data-chips]")) chips.hidden = false;
  for (const one of all("[data-nojs]")) one.hidden = true; // a tap shows it by itself
  here = null;
  call();
  matter();
}

// Another number of players has other places and other house rules: the form is exchanged for theirs.
async function reseat() {
  const sent = new FormData(form);
  sent.set("step", "show");
  const page = await (await fetch(form.action, { method: "POST", body: sent })).text();
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("new");
  for (const field of fields()) {
    const place = fresh.querySelector(`[name="${field.name}"]`);
    if (place) place.value = field.value; // typed meanwhile
  }
  const open = all("details").map((one) => one.open);
  const focused = document.activeElement;
  form.replaceChildren(...fresh.childNodes);
  all("details").forEach((one, place) => { one.open = open[place]; });
  all("input").find((one) => one.name === focused.name && one.value === focused.value)?.focus({ preventScroll: true });
  show();
}

form.addEventListener("change", ({ target }) => {
  // Another game or preset has other choices: the page is made anew, with what was typed.
  const anew = () => form.querySelector('button[value="show"]')?.click();
  if (target.name === "game" || target.name === "preset") anew();
  if (target.name === "table") reseat().catch(anew);
});
form.addEventListener("input", () => { call(); matter(); });
form.addEventListener("focusin", ({ target }) => { if (target.dataset.seat) here = target; });
form.addEventListener("click", (event) => {
  const name = event.target.closest("[data-name]")?.dataset.name;
  if (!name) return;
  const holder = fields().find((field) => field.value.trim() === name);
  if (holder) holder.value = "";
  else {
    const empty = here && !here.value.trim() ? here : fields().find((field) => !field.value.trim());
    (empty ?? here ?? fields().at(-1)).value = name;
  }
  here = null;
  call();
});
show();
