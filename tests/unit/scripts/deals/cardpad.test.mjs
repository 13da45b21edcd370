import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { openPage, reply, settle } from "../support/page.mjs";

const row = (verb, at, value = "") => `<div class="${verb}" data-row="${verb}" data-length="3"><input type="radio" id="${verb}s-${at}-suit" name="${verb}s-${at}-suit" value="H"${value && " checked"}><p id="at-${verb}s-${at}" data-at="${verb}s-${at}"></p><button name="do" value="un${verb}:${at}">x</button></div>`;
const form = ({ runs = 0, points = "", way = "outcome", counting = "count", cards = "", mark = "" } = {}) => `<form id="deal" method="post" action="/en/m/abc/deal" data-look="do=look"
  data-offline="offline" data-offline-calls="no calls" data-offline-cards="no cards" data-offline-step="no step">
  <div class="opening"></div>${mark}<input type="hidden" name="way" value="${way}"><input type="hidden" name="counting" value="${counting}"><input type="hidden" name="tricks" value="${cards}">
  <div data-melds="A"><button class="tile" name="do" value="run:A:3" aria-pressed="${runs > 0}">3</button><button class="tile" name="do" value="four:A" aria-pressed="false">4</button>
  ${Array.from({ length: runs }, (_run, at) => row("run", at)).join("")}</div>
  <div data-melds="B"><button class="tile" name="do" value="run:B:3" aria-pressed="false">3</button></div><div id="at-runs"></div><div id="at-fours"></div>
  <template data-adds="run:3" data-most="3">${row("run", "{i}")}</template>
  <template data-adds="four" data-most="2">${row("four", "{i}")}</template>
  <div data-depends-on="counting"><template data-for="totals"><input name="total_A" value=""></template><template data-for="count words"><input name="points" value=""></template><input name="points" value="${points}"></div>
  <button class="tab" name="do" value="counting:totals" aria-pressed="false">t</button><button class="tab" name="do" value="counting:count" aria-pressed="true">c</button>
  <button name="do" value="counting:cards">cards</button><button name="do" value="call:pass">pass</button><button name="do" value="turn">turn</button>
  <input type="radio" name="bid" value="A:H"><input type="radio" name="bid" value="B:S"><input name="note" value="">
  <div class="dock"><div class="cardpad"><button class="cardkey" name="do" value="card:HA">A</button><button class="cardkey" name="do" value="card:HK">K</button></div><div id="comes-to"></div>
  <div class="dock-buttons"><button class="primary" name="do" value="save">Save</button></div></div></form>`;

async function open(options, answer) {
  const page = openPage(`<html><body><header class="top"></header><main id="main">${form(options)}</main></body></html>`);
  page.fetch = answer ?? ((request) => reply(form({ mark: `<i data-made="${request.fields.at(-1)[1]}"></i>` })));
  const heard = [];
  for (const name of ["deal:exchanged", "deal:unanswered"]) page.document.addEventListener(name, () => heard.push(name));
  await load("deals/cardpad.js");
  const tap = (value) => page.tap(page.find(`button[value="${value}"]`));
  return { page, tap, heard, says: () => page.find("#comes-to").textContent, field: (name) => page.find(`[name="${name}"]`) };
}
const noNetwork = () => Promise.reject(new TypeError("no network"));
const never = ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))));
const made = (page) => page.find("[data-made]")?.dataset.made;

test("a tap is carried out by the server, and its form takes the place of this one", async () => {
  const { page, tap, heard } = await open();
  const event = tap("call:pass");
  await settle();
  assert.equal(event.defaultPrevented, true);
  assert.equal(made(page), "call:pass");
  assert.equal(page.requests[0].headers["X-Part"], "form");
  assert.deepEqual(heard, ["deal:exchanged"]);
});

test("taps are carried out one after the other, none is lost, and Save waits for them", async () => {
  const { page, tap } = await open();
  let sent = null;
  page.window.addEventListener("submit", (event) => { sent = event.submitter.value; });
  const [first, second] = ["card:HA", "card:HK"].map((value) => page.find(`[value="${value}"]`));
  tap("card:HA");
  assert.equal(first.disabled, true);
  tap("card:HK");
  assert.equal(second.disabled, true);
  tap("save");
  assert.equal(sent, null);
  await settle();
  assert.deepEqual(page.requests.map(({ fields }) => fields.at(-1)[1]), ["card:HA", "card:HK"]);
  assert.equal(sent, "save");
});

test("Save, with nothing on its way, is the form's own", async () => {
  const { page, tap } = await open();
  assert.equal(tap("save").defaultPrevented, false);
  await settle();
  assert.equal(page.requests.length, 0);
});

test("what is typed while an answer is on its way is carried over", async () => {
  const { page, tap, field } = await open();
  field("points").value = "9";
  tap("call:pass");
  page.type(field("points"), "90");
  page.choose(field("bid"));
  await settle();
  assert.equal(field("points").value, "90");
  assert.equal(field("bid").checked, true);
});

test("it changes the same entry as before", async () => {
  const { page, tap } = await open();
  Object.assign(page.find("#deal").dataset, { waiting: "7", opened: "5" });
  tap("call:pass");
  await settle();
  assert.deepEqual([page.find("#deal").dataset.waiting, page.find("#deal").dataset.opened], ["7", "5"]);
});

test("the focus stays on what had it, or goes on to what comes next", async () => {
  const { page, tap, field } = await open();
  field("note").focus();
  tap("call:pass");
  await settle();
  assert.equal(page.document.activeElement, field("note"));
  page.find("[value=turn]").focus();
  page.fetch = () => reply(form().replace('<button name="do" value="turn">turn</button>', '<div class="legal"><button name="do" value="call:play">play</button></div>'));
  tap("turn");
  await settle();
  assert.equal(page.document.activeElement.value, "call:play");
});

test("who plays which suit is looked up anew only where cards are tapped", async () => {
  const { page, field } = await open();
  page.choose(field("bid"));
  await settle();
  assert.equal(page.requests.length, 0);
  const cards = await open({ counting: "cards" });
  cards.page.choose(cards.field("bid"));
  await settle();
  assert.equal(made(cards.page), "look");
});

test("a step that is refused shows why, by the page of the answer that there was", async () => {
  const { page, tap } = await open({}, () => reply('<html><body><header class="top"></header><main id="main"><p role="alert">moved on</p></main></body></html>', { status: 409 }));
  tap("call:pass");
  await settle();
  assert.equal(page.find("[role=alert]").textContent, "moved on");
  assert.equal(page.requests.length, 1);
});

test("an answer that is no form is left to the server to say", async () => {
  const answer = reply("elsewhere");
  Object.defineProperty(answer, "redirected", { value: true });
  const { page, tap } = await open({}, () => answer);
  let sent = null;
  page.window.addEventListener("submit", (event) => { sent = event.submitter.value; });
  tap("call:pass");
  await settle();
  assert.equal(sent, "call:pass");
});

// --- without the server (unanswered.js) ---------------------------------------------------------------

for (const [hindrance, answer] of Object.entries({
  "no network": noNetwork,
  "a café": () => new Response("welcome"),
  "a server that fails": () => reply("broken", { status: 502 }),
  "too much": () => reply("slow down", { status: 429 }),
})) {
  test(`${hindrance}: a run is added here, with all that was typed`, async () => {
    const { page, tap, says, field, heard } = await open({}, answer);
    page.type(field("points"), "90");
    tap("run:A:3");
    await settle();
    assert.equal(field("runs-0-suit").closest("[data-melds]").dataset.melds, "A");
    assert.equal(page.find('[value="run:A:3"]').getAttribute("aria-pressed"), "true");
    assert.equal(field("points").value, "90");
    assert.equal(says(), "offline");
    assert.deepEqual(heard, ["deal:exchanged", "deal:unanswered"]);
  });
}

test("rows have an end, and move up when one goes", async () => {
  const { page, tap, field } = await open({}, noNetwork);
  for (let n = 0; n < 4; n++) tap("run:A:3");
  await settle();
  assert.equal(page.document.querySelectorAll(".run").length, 3);
  field("runs-2-suit").checked = true;
  tap("unrun:1");
  await settle();
  assert.deepEqual(page.document.querySelectorAll(".run").map((run) => run.querySelector("input").name), ["runs-0-suit", "runs-1-suit"]);
  assert.equal(field("runs-1-suit").checked, true);
  assert.deepEqual(page.document.querySelectorAll(".run").map((run) => run.querySelector("button").value), ["unrun:0", "unrun:1"]);
  assert.equal(page.document.querySelectorAll(".run [data-at]").at(-1).dataset.at, "runs-1");
  assert.ok(page.find("#at-runs-1"));
});

test("rows stand under their players, and the tile of a card taken back is dark again", async () => {
  const { page, tap, field } = await open({}, noNetwork);
  for (const player of ["B", "A", "B"]) tap(`run:${player}:3`);
  await settle();
  const players = () => page.document.querySelectorAll(".run").map((run) => [run.querySelector("input").name, run.closest("[data-melds]").dataset.melds]);
  assert.deepEqual(players(), [["runs-1-suit", "A"], ["runs-0-suit", "B"], ["runs-2-suit", "B"]]);
  field("runs-2-suit").checked = true;
  tap("unrun:1");
  await settle();
  assert.deepEqual(players(), [["runs-0-suit", "B"], ["runs-1-suit", "B"]]);
  assert.equal(field("runs-1-suit").checked, true);
  assert.deepEqual(["A", "B"].map((player) => page.find(`[value="run:${player}:3"]`).getAttribute("aria-pressed")), ["false", "true"]);
});

test("a row is taken out of those that the server made; fours are rows too", async () => {
  const { page, tap } = await open({ runs: 2 }, noNetwork);
  tap("unrun:0");
  tap("four:A");
  await settle();
  assert.equal(page.document.querySelectorAll(".run").length, 1);
  assert.equal(page.document.querySelectorAll(".four").length, 1);
});

test("the count is told in another way, and back, with what was typed where it has a place", async () => {
  const { page, tap, field } = await open({}, noNetwork);
  page.type(field("points"), "90");
  tap("counting:totals");
  await settle();
  assert.equal(field("counting").value, "totals");
  assert.ok(field("total_A"));
  assert.equal(field("points"), null);
  assert.equal(page.find(".cardpad"), null);
  assert.deepEqual(page.document.querySelectorAll(".tab").map((tab) => tab.getAttribute("aria-pressed")), ["true", "false"]);
  tap("counting:count");
  await settle();
  assert.ok(field("points"));
  assert.equal(field("total_A"), null);
});

test("the count is told in another way at once, however long the server takes, and nobody is asked for it", async () => {
  const { page, tap, field } = await open({}, () => new Promise(() => {}));
  tap("counting:totals");
  assert.equal(field("counting").value, "totals");
  assert.ok(field("total_A"));
  assert.equal(page.requests.some(({ fields }) => fields.some(([name]) => name === "do")), false);
});

test("what needs the rules says what to do instead; the page and all that was typed stay", async () => {
  const { page, tap, says, field } = await open({}, noNetwork);
  page.type(field("note"), "n");
  for (const [action, sentence] of [["call:pass", "no calls"], ["card:HA", "no cards"], ["counting:cards", "no cards"], ["turn", "no step"]]) {
    tap(action);
    await settle();
    assert.equal(says(), sentence);
  }
  assert.equal(field("note").value, "n");
  assert.equal(page.find('[value="card:HA"]').disabled, false); // it can be tapped again
  const calls = await open({ way: "calls" }, noNetwork);
  calls.tap("turn");
  await settle();
  assert.equal(calls.says(), "no calls");
});

test("what is behind a step that cannot be done is not done either", async () => {
  const { page, tap } = await open({}, noNetwork);
  tap("call:pass");
  tap("run:A:3");
  await settle();
  assert.equal(page.document.querySelectorAll(".run").length, 0);
});

test("a server that keeps silent is waited for once: three seconds, then the next are at once", async () => {
  const { page, tap } = await open({}, never);
  tap("run:A:3");
  await page.advance(2_900);
  assert.equal(page.document.querySelectorAll(".run").length, 0);
  await page.advance(200);
  assert.equal(page.document.querySelectorAll(".run").length, 1);
  tap("run:A:3");
  await settle();
  assert.equal(page.document.querySelectorAll(".run").length, 2);
  assert.equal(page.requests.length, 1);
  await page.advance(15_000);
  tap("run:A:3");
  await settle();
  assert.equal(page.requests.length, 2);
});

test("what only the server can do is waited for ten seconds", async () => {
  const { page, tap, says } = await open({}, never);
  tap("call:pass");
  await page.advance(9_000);
  assert.equal(says(), "");
  await page.advance(1_100);
  assert.equal(says(), "no calls");
});
