import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, reply, settle } from "../support/page.mjs";

const CARDS = ["AH", "KH", "9S"];
const key = (kind, name, code, on = "") => `<label class="cardkey suit-H"><input type="${kind}" name="${name}" value="${code}"${code === on ? " checked" : ""}><span class="face"><b>${code}</b></span></label>`;
const tools = '<p class="pad-tools"><button type="submit" data-drop>drop</button><button type="submit" data-clear>clear</button></p>';
const pad = (name, kind, words, keys, more = "") => `<div id="field-${name}"><details data-pad="${name}" data-kind="${kind}" ${words}><summary>${name}<span data-picked></span></summary>${more}<div class="cardpad-row" data-suit="H">${keys}</div>${tools}</details></div>`;
const buttons = (name) => CARDS.map((code) => `<button class="cardkey" name="${name}" value="${code}">${code}</button>`).join("");
const course = (played, { next = "A", words = "" } = {}) => `<div id="field-bout"><details data-pad="bout" data-kind="step" data-heap="1" data-follows="attacker" data-refresh="play.bout"${words}><summary>bout</summary>
  <ol>${played.map((card) => `<li><input type="hidden" name="bout" value="A ${card}"></li>`).join("")}</ol>
  ${["A", "B"].map((seat) => `<input type="radio" name="next.bout" value="${seat}"${seat === next ? " checked" : ""}>`).join("")}${buttons("play.bout")}<button name="undo.bout" value="1">undo</button></details></div>`;
const form = (played = []) => `<form id="ask" method="get" action="/en/ask/durak/bout?x=1" data-offline="offline"><button name="asked" value="1">Ask</button>
  <input type="radio" name="trump" value="H"><input type="radio" name="trump" value="S"><input type="radio" name="attacker" value="A"><input type="radio" name="attacker" value="B">
  <div class="bare"><fieldset data-where="attacker=B,C"><input name="where" value=""></fieldset></div><input name="count" value="">
  ${pad("hand", "checkbox", 'data-most="2" data-heap="1" name="pads"', CARDS.map((code) => key("checkbox", "hand", code)).join(""))}
  ${pad("card", "radio", 'data-among="hand" name="pads" open', CARDS.map((code) => key("radio", "card", code)).join(""))}
  ${pad("trick", "submit", 'data-most="2" name="pads"', buttons("add.trick"), "<div data-taken></div>")}
  ${course(played)}</form>`;

async function open(answer = (request) => reply(form(new URL(request.url).searchParams.getAll("play.bout")))) {
  const page = openPage(form(), { path: "/en/ask/durak/bout" });
  page.fetch = answer;
  await load("rulings/ask.js");
  const find = (selector) => page.find(selector);
  const disabled = (name) => CARDS.filter((code) => find(`[name="${name}"][value="${code}"]`).disabled).join();
  const tap = (name, value) => {
    const button = find(`button[name="${name}"][value="${value}"]`);
    page.tap(button);
    return button;
  };
  return { page, find, disabled, tap, step: async (...words) => { tap(...words); await settle(); } };
}
const asked = ({ requests }, name) => requests.map(({ url }) => new URL(url).searchParams.getAll(name).join());
const pick = (page, name, code, on = true) => page.choose(page.find(`[name="${name}"][value="${code}"]`), on);

test("cards that are picked are shown; a full pad takes no more, but can be emptied", async () => {
  const { page, find, disabled } = await open();
  pick(page, "hand", "AH");
  assert.equal(find('[data-pad="hand"] [data-picked]').textContent, "AH");
  assert.equal(disabled("hand"), "");
  pick(page, "hand", "KH");
  assert.equal(disabled("hand"), "9S");
  page.tap(find('[data-pad="hand"] [data-clear]'));
  assert.equal(find('[data-pad="hand"] [data-picked]').textContent, "");
  assert.equal(disabled("hand"), "");
});

test("one card out of the hand is offered among those of the hand", async () => {
  const { page, disabled } = await open();
  assert.equal(disabled("card"), "");
  pick(page, "hand", "AH");
  assert.equal(disabled("card"), "KH,9S");
});

test("a card lies in one place of a heap only", async () => {
  const { page, disabled, step } = await open();
  await step("play.bout", "9S");
  assert.equal(disabled("hand"), "9S");
  pick(page, "hand", "AH");
  assert.equal(disabled("play.bout"), "AH,9S");
});

test("cards of a trick are taken in the order of the taps, and the last is taken back", async () => {
  const { page, find, tap, disabled } = await open();
  tap("add.trick", "KH");
  tap("add.trick", "AH");
  const taken = () => page.document.querySelectorAll("[data-taken] input").map(({ value }) => value).join();
  assert.equal(taken(), "KH,AH");
  assert.equal(disabled("add.trick"), "AH,KH,9S");
  assert.equal(find('[data-pad="trick"] [data-drop]').value, "AH");
  page.tap(find('[data-pad="trick"] [data-drop]'));
  assert.equal(taken(), "KH");
  assert.equal(disabled("add.trick"), "KH");
  assert.equal(page.requests.length, 0);
});

test("the suit of trumps is marked in every pad", async () => {
  const { page, find } = await open();
  for (const [suit, is] of [["H", true], ["S", false]]) {
    pick(page, "trump", suit);
    assert.equal(find(".cardpad-row").classList.contains("trump"), is);
  }
});

test("what is asked only of some is there for them only", async () => {
  const { page, find } = await open();
  const isThere = () => !find("[data-where]").hidden && !find("[data-where]").disabled;
  assert.equal(isThere(), false);
  pick(page, "attacker", "B");
  assert.equal(isThere(), true);
  pick(page, "attacker", "A");
  assert.equal(isThere(), false);
  await settle(); // what follows from who attacks is asked for
});

test("a step is carried out by the server, and its field alone is exchanged", async () => {
  const { page, find, step } = await open();
  pick(page, "hand", "AH");
  find('[data-pad="bout"]').open = true;
  await step("play.bout", "9S");
  assert.equal(new URL(page.requests[0].url).pathname, "/en/ask/durak/bout");
  assert.deepEqual([asked(page, "play.bout"), asked(page, "hand"), asked(page, "asked")], [["9S"], ["AH"], [""]]);
  assert.equal(find("ol input").value, "A 9S");
  assert.equal(find('[data-pad="bout"]').open, true);
  assert.equal(find('[name="hand"]').checked, true);
  assert.equal(page.document.activeElement.value, "KH");
});

test("quick taps are carried out one after the other, each on what the one before made", async () => {
  const { page, tap } = await open();
  assert.equal(tap("play.bout", "9S").disabled, true);
  tap("play.bout", "KH");
  assert.equal(page.requests.length, 1);
  await settle();
  assert.deepEqual(asked(page, "play.bout"), ["9S", "KH"]);
  assert.deepEqual(asked(page, "bout"), ["", "A 9S"]);
});

test("who plays next, chosen while the answer is on its way, stays chosen", async () => {
  const { page, find, step } = await open((request) => {
    pick(page, "next.bout", "B");
    return reply(form([new URL(request.url).searchParams.get("play.bout")]));
  });
  await step("play.bout", "9S");
  assert.equal(find('[name="next.bout"][value="B"]').checked, true);
});

test("a fact that a field follows from asks for that field anew, without taking the focus", async () => {
  const { page, find } = await open();
  find('[name="count"]').focus();
  pick(page, "attacker", "A");
  pick(page, "trump", "H");
  await settle();
  assert.deepEqual(page.requests.map(({ url }) => new URL(url).searchParams.has("play.bout")), [true]);
  assert.equal(page.document.activeElement.name, "count");
});

for (const [hindrance, answer] of Object.entries({
  "no network": () => Promise.reject(new TypeError()),
  "a café": () => new Response("welcome"),
  "a server that fails": () => reply("broken", { status: 502 }),
})) {
  test(`${hindrance}: it says so where it was tapped, what followed is dropped, and it can be tapped again`, async () => {
    const { page, find, tap, step } = await open(answer);
    tap("play.bout", "9S");
    await step("play.bout", "KH");
    assert.equal(find("#field-bout [role=alert]").textContent, "offline");
    assert.equal(page.requests.length, 1);
    assert.equal(find('[name="play.bout"][value="9S"]').disabled, false);
  });
}

test("a refusal is left to the server to say", async () => {
  const { page, step } = await open(() => reply("no", { status: 400 }));
  let sent = null;
  page.window.addEventListener("submit", ({ submitter }) => { sent = [submitter.name, submitter.value]; });
  await step("play.bout", "9S");
  assert.deepEqual(sent, ["play.bout", "9S"]);
});

test("one card alone, tapped: on to the next empty pad; by keyboard one stays", async () => {
  const { page, find } = await open();
  pick(page, "card", "AH");
  assert.equal(find('[data-pad="card"]').open, true);
  page.tap(find('[name="card"][value="KH"]'));
  pick(page, "card", "KH");
  assert.equal(find('[data-pad="card"]').open, false);
  assert.equal(find('[data-pad="trick"]').open, true);
});

test("what is blank stays out of the address, and is there again when one comes back", async () => {
  const { page, find } = await open();
  find("#ask").requestSubmit(find('[name="asked"]'));
  assert.equal(find('[name="count"]').disabled, true);
  page.send("pageshow");
  assert.equal(find('[name="count"]').disabled, false);
});

test("without network nothing is asked, and it says so", async () => {
  const { page, find } = await open();
  page.online = false;
  let stopped = false;
  page.window.addEventListener("submit", (event) => { stopped = event.defaultPrevented; });
  find("#ask").requestSubmit(find('[name="asked"]'));
  assert.equal(stopped, true);
  assert.equal(find("#ask > [role=alert]").textContent, "offline");
});
