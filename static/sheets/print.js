// Fits a sheet to its paper, and prints it. While it is measured the page is laid out as on paper.
const PX = 96 / 25.4; // pixels to a millimetre
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const sheet = /** @type {HTMLElement} */ (main.firstElementChild);
/** @type {{width: number, height: number, few: number, sides: number, least: number, most: number}} */
const room = JSON.parse(main.dataset.room ?? "{}");
const button = /** @type {HTMLButtonElement} */ (document.querySelector("[data-print]"));

const measureHeight = () => sheet.getBoundingClientRect().height / PX;

// Lays the page out as on paper, for as long as `fit` takes.
/** @param {() => void} fit */
function onPaper(fit) {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).filter((rule) => rule instanceof CSSMediaRule);
  const media = rules.map((rule) => rule.media.mediaText);
  for (const rule of rules) rule.media.mediaText = rule.media.mediaText === "print" ? "all" : "not all";
  main.style.cssText = `width: ${room.width}mm; max-width: none`;
  fit();
  main.style.cssText = "";
  for (const [n, rule] of rules.entries()) rule.media.mediaText = media[n];
}

// Closes a sheet up that would otherwise need a second page for very little.
function fitSheet() {
  if (measureHeight() <= room.height) return;
  const end = sheet.getBoundingClientRect().top + room.height * PX;
  const beyond = [...sheet.querySelectorAll(".s-deal")].filter((deal) => deal.getBoundingClientRect().bottom > end);
  sheet.classList.toggle("s-closer", beyond.length <= room.few);
  if (measureHeight() > room.height) sheet.classList.remove("s-closer");
}

// Letters a card as large as its paper has room for; its words are left out if they would make the letters too small.
function fitCard() {
  const words = /** @type {HTMLElement | null} */ (sheet.querySelector(".s-card-words"));
  for (let sides = 1; sides <= room.sides; sides++) {
    for (const isBare of words ? [false, true] : [true]) {
      if (words) words.hidden = isBare;
      if (letterCard(sides, isBare && sides === room.sides ? 0 : room.least)) return;
    }
  }
}

/** @param {number} sides @param {number} least */
function letterCard(sides, least) {
  for (let points = room.most; points > least; points -= 0.1) {
    sheet.style.setProperty("--card", `${points}pt`);
    if (measureHeight() < room.height * (sides - 0.02)) return true; // two sides never break quite evenly
  }
  return false;
}

button.hidden = false;
button.addEventListener("click", () => print());
await Promise.allSettled([400, 700].map((weight) => document.fonts.load(`${weight} 1em Companion`)));
onPaper(sheet.dataset.card ? fitCard : fitSheet);
print();
