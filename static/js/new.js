// The new match: names by a tap, and everything that speaks of a player called by that name.
const fields = [...document.querySelectorAll("input[data-seat]")];
const chips = document.querySelector("[data-chips]");
const called = new Map([...document.querySelectorAll("[data-name-of]")].map((one) => [one, one.textContent]));
let here = null;

function show() {
  const typed = fields.map((field) => field.value.trim());
  for (const [place, name] of called) {
    const seat = fields.find((field) => field.dataset.seat === place.dataset.nameOf);
    const label = document.querySelector(`label[for="${seat.id}"]`);
    place.textContent = seat.value.trim() || label.textContent;
  }
  for (const chip of chips?.children ?? []) chip.setAttribute("aria-pressed", typed.includes(chip.dataset.name));
}

for (const field of fields) {
  field.addEventListener("input", show);
  field.addEventListener("focus", () => { here = field; });
}

chips?.addEventListener("click", (event) => {
  const name = event.target.closest("[data-name]")?.dataset.name;
  if (!name) return;
  const holder = fields.find((field) => field.value.trim() === name);
  if (holder) holder.value = "";
  else {
    const empty = here && !here.value.trim() ? here : fields.find((field) => !field.value.trim());
    (empty ?? here ?? fields.at(-1)).value = name;
  }
  here = null;
  show();
});
if (chips) chips.hidden = false;

// Another game or preset has other choices: the page is made anew, with what was typed.
for (const choice of document.querySelectorAll('input[name="game"], input[name="preset"]')) {
  choice.addEventListener("change", () => document.querySelector('button[value="show"]')?.click());
}
show();

// A house rule stands on the page only while another one leaves something for it to say.
const rules = [...document.querySelectorAll("[data-needs]")].map((one) => [one, JSON.parse(one.dataset.needs)]);
const form = document.getElementById("new");
function matter() {
  for (const [one, needs] of rules) {
    one.hidden = !Object.entries(needs).every(([name, value]) => {
      const told = form.elements[`rule-${name}`]?.value;
      return value === "1.." ? Number(told) >= 1 : told === value;
    });
  }
}
form?.addEventListener("input", matter);
matter();
for (const one of document.querySelectorAll("[data-nojs]")) one.hidden = true; // a tap shows it by itself
