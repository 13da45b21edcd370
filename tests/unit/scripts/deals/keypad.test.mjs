import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, reply, settle } from "../support/page.mjs";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "+", "back", "next", "clear", "hide"];
const form = ({ aim = false, counting = "totals", checked = "", rest = "", values = ["", ""] } = {}) => `
<input id="elsewhere"><form id="deal" method="post" data-preview="/en/m/abc/preview" data-offline="No network"${aim ? " data-aim" : ""}>
  <input type="hidden" name="counting" value="${counting}">
  <div class="score"></div>
  <div class="part bidding"><fieldset class="plays"><input type="radio" name="bid" value="pass"><input type="radio" name="bid" value="A:H"${checked}><input type="radio" name="bid" value="B:S"><input type="checkbox" id="change"></fieldset></div>
  <input type="radio" name="last" value="A">
  <div class="points"><input class="sum" id="total_A" name="total_A" value="${values[0]}"${rest && ' data-rest="A"'}><output for="total_A"></output>
  <input class="sum" id="total_B" name="total_B" value="${values[1]}"${rest && ' data-rest="B"'}><output for="total_B"></output></div>
  <div class="offer"><input class="sum" id="offer" name="offer" value="20" hidden></div><textarea id="note"></textarea><p data-at="total_A"></p>
  <div class="dock"><div id="comes-to"></div><div data-numkeys hidden>${KEYS.map((key) => `<button type="button" data-key="${key}">${key}</button>`).join("")}</div>
  <div class="dock-buttons"><button class="btn primary" name="do" value="save">Save</button></div></div></form>`;

async function open(options = {}, answer) {
  const page = openPage(form(options));
  if (answer) page.fetch = answer;
  await load("deals/preview.js");
  await load("deals/keypad.js");
  const field = (name) => page.find(`#${name}`);
  const tapField = (name) => { field(name).focus(); page.tap(field(name)); };
  const keys = (...names) => { for (const name of names) page.tap(page.find(`[data-key="${name}"]`)); };
  return { page, field, tapField, keys, pad: () => page.find("[data-numkeys]"), sum: (name) => page.find(`output[for="${name}"]`).textContent };
}

for (const [one, other] of [["25", "82"], ["82", "25"], ["9", "120"], ["100", "7"], ["162", "0"]]) {
  test(`a field is left by Next and by nothing else: ${one}, ${other}`, async () => {
    const { field, tapField, keys } = await open();
    tapField("total_A");
    keys(...one);
    assert.equal(field("total_A").value, one);
    assert.equal(field("total_B").value, "");
    keys("next", ...other);
    assert.deepEqual([field("total_A").value, field("total_B").value], [one, other]);
    assert.equal(document.activeElement, field("total_B"));
  });
}

test("it adds up in view, as it is counted", async () => {
  const { page, field, tapField, keys, sum } = await open();
  tapField("total_A");
  keys("1", "1");
  assert.equal(sum("total_A"), "");
  keys("+");
  assert.equal(sum("total_A"), "= 11");
  keys("4", "+", "1", "0");
  assert.equal(field("total_A").value, "11+4+10");
  assert.equal(sum("total_A"), "= 25");
  page.type(field("total_A"), " 20 + 5 ");
  assert.equal(sum("total_A"), "= 25");
  page.type(field("total_A"), "20+x");
  assert.equal(sum("total_A"), "");
});

test("a plus stands between two numbers only; backspace takes one sign", async () => {
  const { field, tapField, keys } = await open();
  tapField("total_A");
  keys("+");
  assert.equal(field("total_A").value, "");
  keys("8", "+", "+", "2");
  assert.equal(field("total_A").value, "8+2");
  keys("back", "back", "back", "back");
  assert.equal(field("total_A").value, "");
  keys("8", "2", "clear");
  assert.equal(field("total_A").value, "");
});

test("each key is heard as typing", async () => {
  const { page, tapField, keys } = await open();
  let heard = 0;
  page.document.addEventListener("input", () => { heard++; });
  tapField("total_A");
  keys("8", "2");
  assert.equal(heard, 2);
});

test("after the last number Next hides the pad", async () => {
  const { page, tapField, keys, pad } = await open();
  tapField("total_B");
  keys("next");
  assert.equal(pad().hidden, true);
  assert.equal(page.find("#deal").classList.contains("typing"), false);
});

test("fields out of sight are passed over", async () => {
  const { field, tapField, keys } = await open();
  field("total_B").hidden = true;
  field("offer").hidden = false;
  tapField("total_A");
  keys("next", "5");
  assert.equal(field("offer").value, "205");
});

test("a keyboard: Enter goes from number to number, then to the button that saves", async () => {
  const { page, field } = await open();
  field("total_A").focus();
  assert.equal(page.key(field("total_A"), "Enter").defaultPrevented, true);
  assert.equal(document.activeElement, field("total_B"));
  page.key(field("total_B"), "Enter");
  assert.equal(document.activeElement, page.find(".primary"));
});

test("other keys of a keyboard are its own", async () => {
  const { page, field } = await open();
  field("total_A").focus();
  for (const key of ["8", "+", "Backspace", "Tab"]) assert.equal(page.key(field("total_A"), key).defaultPrevented, false);
  page.type(field("total_A"), "82+11");
  assert.equal(document.activeElement, field("total_A"));
});

test("keys of the pad reached by Tab work and keep the focus", async () => {
  const { page, field } = await open();
  field("total_B").focus();
  const key = page.find('[data-key="5"]');
  key.focus();
  page.tap(key, 0);
  page.tap(key, 0);
  assert.equal(document.activeElement, key);
  assert.equal(field("total_B").value, "55");
});

test("a tap on the pad takes no focus away", async () => {
  const { page } = await open();
  const down = new Event("pointerdown", { bubbles: true });
  page.find('[data-key="5"]').dispatchEvent(down);
  assert.equal(down.defaultPrevented, true);
});

test("the pad is hidden and opened again: by its button and a tap on the field, by Escape", async () => {
  const { page, field, tapField, keys, pad } = await open();
  tapField("total_A");
  keys("8", "hide");
  assert.equal(pad().hidden, true);
  assert.equal(document.activeElement, field("total_A"));
  page.tap(field("total_A"));
  assert.equal(pad().hidden, false);
  page.key(field("total_A"), "Escape");
  assert.equal(pad().hidden, true);
  assert.equal(field("total_A").value, "8");
});

test("a tap elsewhere closes it in a moment; the tab key does not, nor does what is said before the numbers", async () => {
  const { page, tapField, pad } = await open();
  tapField("total_A");
  await page.advance(2_000);
  page.find("#elsewhere").focus();
  await page.advance(1_000);
  assert.equal(pad().hidden, false);
  for (const [selector, closes] of [['[value="pass"]', false], ["[name=last]", true]]) {
    page.tap(page.find(selector));
    page.find(selector).focus();
    await page.advance(1_000);
    assert.equal(pad().hidden, closes);
  }
});

test("a tap on who plays opens it for the numbers, and the choice keeps the focus", async () => {
  const { page, field, keys, pad } = await open();
  const choice = page.find('[value="A:H"]');
  choice.focus();
  page.tap(choice);
  page.choose(choice);
  await settle();
  assert.equal(pad().hidden, false);
  assert.equal(document.activeElement, choice);
  keys("8");
  assert.equal(document.activeElement, field("total_A"));
  assert.equal(field("total_A").value, "8");
});

test("the other suits are asked for, and another one stands alone again", async () => {
  const { page, tapField, pad } = await open({ checked: " checked" });
  tapField("total_A");
  const others = page.find("#change");
  page.choose(others);
  assert.equal(pad().hidden, true);
  assert.equal(document.activeElement, page.find('[value="A:H"]'));
  page.choose(page.find('[value="B:S"]'));
  assert.equal(others.checked, false);
});

test("arrow keys from suit to suit open nothing; nor does a choice that leaves more to say", async () => {
  const { page, pad } = await open();
  await page.advance(2_000);
  page.choose(page.find('[value="A:H"]'));
  await settle();
  assert.equal(pad().hidden, true);
  page.tap(page.find('[value="pass"]'));
  page.choose(page.find('[value="pass"]'));
  await settle();
  assert.equal(pad().hidden, true);
});

test("arrow keys go from suit to suit, and only Space or Enter says which", async () => {
  const { page } = await open();
  const [pass, hearts, spades] = ["pass", "A:H", "B:S"].map((value) => page.find(`[value="${value}"]`)), others = page.find("#change");
  pass.focus();
  for (const [key, on] of [["ArrowRight", hearts], ["ArrowDown", spades], ["ArrowDown", spades], ["ArrowLeft", hearts]]) {
    assert.equal(page.key(document.activeElement, key).defaultPrevented, true);
    assert.equal(document.activeElement, on);
  }
  assert.equal([pass, hearts, spades].some((radio) => radio.checked), false);
  let clicked = null;
  page.document.addEventListener("click", ({ target }) => { clicked = target; });
  others.checked = true;
  assert.equal(page.key(hearts, "Enter").defaultPrevented, true);
  assert.deepEqual([clicked, others.checked], [hearts, false]);
  others.checked = true;
  assert.equal(page.key(hearts, " ").defaultPrevented, false); // the browser chooses it
  assert.equal(others.checked, false);
});

const BID = `<span data-contract></span><label class="choice"><input type="radio" name="bid_points" value="110"><span>110</span></label>
<input class="sum" name="bid_other" value=""><label class="choice"><input type="radio" name="double" value="2"><span> coinché </span></label>
<label class="choice unsaid"><input type="radio" name="double" value="" checked><span>not doubled</span></label>`;
test("the chip says the whole contract, and a double is taken back by a second tap", async () => {
  const page = openPage(form().replace("</fieldset>", `${BID}</fieldset>`));
  await load("deals/keypad.js");
  const said = () => page.find("[data-contract]").textContent.trim(), [points, double, none] = ["bid_points", "double", "double"].map((name, at) => page.document.querySelectorAll(`[name="${name}"]`)[at === 2 ? 1 : 0]);
  page.choose(points);
  assert.equal(said(), "110");
  none.checked = false;
  page.choose(double);
  assert.equal(said().replace(/\s+/g, " "), "110 coinché");
  page.tap(double);
  assert.equal(none.checked, true);
  double.checked = false; // as a browser does in one group
  page.type(page.find('[name="bid_other"]'), "200");
  assert.equal(said(), "200");
});

test("a digit typed on who plays goes to the first number that is empty", async () => {
  const { page, field } = await open();
  const choice = page.find('[value="A:H"]');
  choice.focus();
  page.key(choice, "9");
  assert.equal(document.activeElement, choice); // nobody was chosen yet
  page.choose(choice);
  assert.equal(page.key(choice, "9").defaultPrevented, false); // typed where the focus is now
  assert.equal(document.activeElement, field("total_A"));
  field("total_A").value = "90";
  choice.focus();
  page.key(choice, "5");
  assert.equal(document.activeElement, field("total_B"));
});

test("who takes the last trick is the last thing before card points", async () => {
  const { page, pad } = await open({ counting: "count" });
  for (const [selector, isOpen] of [['[value="A:H"]', false], ["[name=last]", true]]) {
    page.tap(page.find(selector));
    page.choose(page.find(selector));
    await settle();
    assert.equal(!pad().hidden, isOpen);
  }
});

test("who was quicker than the script gets the pad too", async () => {
  const page = openPage(form());
  page.find('[value="A:H"]').checked = true;
  await load("deals/keypad.js");
  assert.equal(page.find("[data-numkeys]").hidden, false);
  assert.equal((await open()).pad().hidden, true);
  assert.equal((await open({ checked: " checked" })).pad().hidden, true);
});

test("where totals are all that is left to say, it opens by itself, once", async () => {
  const { page, field, keys, pad } = await open({ aim: true });
  assert.equal(pad().hidden, false);
  keys("9");
  assert.equal(field("total_A").value, "9");
  assert.equal("aim" in page.find("#deal").dataset, false);
  assert.equal((await open({ aim: true, values: ["1", "2"] })).pad().hidden, true);
});

test("the form was exchanged: the pad stays at its field, and closes when a page says why it was not saved", async () => {
  const { page, tapField, field, pad, keys } = await open();
  tapField("total_B");
  const fresh = new DOMParser().parseFromString(form(), "text/html").getElementById("deal");
  page.find("#deal").replaceWith(fresh);
  document.activeElement = document.body;
  document.dispatchEvent(new Event("deal:exchanged"));
  assert.equal(pad().hidden, false);
  keys("7");
  assert.equal(field("total_B").value, "7");
  document.dispatchEvent(new Event("page:exchanged"));
  assert.equal(pad().hidden, true);
});

// --- what follows (preview.js) ------------------------------------------------------------------------

const rest = (a, b, faults = "") => reply(`${faults}<output data-rest-of="A" value="${a}">${a}</output><output data-rest-of="B" value="${b}">${b}</output>`);
/** A server that knows what is left of 162. */
const answerRest = ({ fields }) => {
  const { total_A: a, total_B: b } = Object.fromEntries(fields);
  return rest(b ? 162 - b : "", a ? 162 - a : "");
};
const outputs = () => { for (const output of document.querySelectorAll("output[value]")) output.value = output.getAttribute("value"); };
// An output's value is its text.
const openFollowing = (options = {}, answer = answerRest) => open({ rest: "yes", ...options }, (request) => (outputs(), answer(request)));

test("one number brings the other, until another is typed; cleared, it follows again", async () => {
  const { page, field, tapField, keys } = await openFollowing();
  tapField("total_A");
  keys("6", "2");
  await page.advance(300);
  assert.equal(field("total_B").value, "100");
  keys("back", "1");
  await page.advance(300);
  assert.equal(field("total_B").value, "101");
  keys("next", "9", "9");
  await page.advance(300);
  assert.equal(field("total_B").value, "99");
  keys("back", "back");
  tapField("total_A");
  keys("back", "back", "9", "0");
  await page.advance(300);
  assert.equal(field("total_B").value, "72");
});

test("what follows is sent as an empty field, so that a quick save takes it from the last digit", async () => {
  const { page, field, tapField, keys } = await openFollowing();
  tapField("total_A");
  keys("9", "2");
  await page.advance(300);
  keys("back", "0");
  assert.equal(field("total_B").value, "70");
  const sent = Object.fromEntries(new FormData(page.find("#deal")));
  assert.deepEqual([sent.total_A, sent.total_B], ["90", ""]);
});

test("it is asked a moment after the last key, once", async () => {
  const { page, tapField, keys } = await openFollowing();
  tapField("total_A");
  keys("9");
  await page.advance(100);
  keys("2");
  await page.advance(100);
  assert.equal(page.requests.length, 0);
  await page.advance(200);
  assert.equal(page.requests.length, 1);
  assert.equal(page.requests[0].url, "/en/m/abc/preview");
});

test("an answer that comes after a newer one is not shown", async () => {
  const answers = [];
  const { page, tapField, keys } = await openFollowing({}, ({ signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", reject);
    answers.push((html) => resolve(reply(html)));
  }));
  tapField("total_A");
  for (const key of ["9", "0"]) {
    keys(key);
    await page.advance(300);
  }
  const [early, late] = answers;
  late("of 90");
  await settle();
  early("of 9");
  await settle();
  assert.equal(page.find("#comes-to").textContent, "of 90");
});

test("every trick told by a tap fills both fields, the aimed one too; other points take the tap back", async () => {
  const page = openPage(form({ rest: "yes" }).replace('<div class="points">', '<div class="points"><label class="choice"><input type="radio" name="trickless" value="B" data-every><span>Capot</span></label>'));
  page.fetch = () => (outputs(), rest("252", "0"));
  await load("deals/preview.js");
  await load("deals/keypad.js");
  const [a, b, tile] = ["#total_A", "#total_B", "[data-every]"].map((selector) => page.find(selector));
  a.focus();
  page.choose(tile);
  await page.advance(300);
  assert.deepEqual([a.value, b.value], ["252", "0"]);
  page.tap(page.find('[data-key="9"]'));
  assert.deepEqual([a.value, tile.checked], ["9", false]);
});

test("sentences stand at their fields", async () => {
  const { page, tapField, keys } = await openFollowing({}, () => rest("", "", '<div class="live-faults"><p data-for="total_A">too much</p></div>'));
  tapField("total_A");
  keys("9");
  await page.advance(300);
  assert.equal(page.find('[data-at="total_A"]').innerHTML, "too much");
});

for (const [hindrance, answer] of Object.entries({
  "no network": () => Promise.reject(new TypeError("no network")),
  "a café": () => new Response("welcome"),
  "a server that fails": () => reply("broken", { status: 500 }),
  "too much": () => reply("slow down", { status: 429 }),
})) {
  test(`${hindrance}: it says so, what followed does not follow any more, and it is asked again`, async () => {
    let isDown = false;
    const { page, field, tapField, keys } = await openFollowing({}, (request) => (isDown ? answer(request) : answerRest(request)));
    tapField("total_A");
    keys("9", "0");
    await page.advance(300);
    isDown = true;
    keys("back", "1");
    await page.advance(300);
    assert.equal(page.find("#comes-to").textContent, "No network");
    assert.equal(field("total_B").value, "");
    isDown = false;
    await page.advance(5_000);
    assert.equal(field("total_B").value, "71");
  });
}

test("it asks at once when there is a network again", async () => {
  let isDown = true;
  const { page, field, tapField, keys } = await openFollowing({}, (request) => (isDown ? Promise.reject(new TypeError()) : answerRest(request)));
  tapField("total_A");
  keys("9");
  await page.advance(300);
  isDown = false;
  page.send("online");
  await page.advance(10);
  assert.equal(field("total_B").value, "153");
});
