import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice, readAll } from "../support/database.mjs";
import { dealForm, lines, makeServer, noNetwork, openMatch, saveDeal } from "../support/match.mjs";
import { reply, settle } from "../support/page.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, work);

const PATH = "/en/m/abc/deal";
const drafts = () => readAll("drafts");
const line = (page, selector = "#deal") => page.find(selector).previousElementSibling?.matches(".draft-line") ? page.find(selector).previousElementSibling : null;
const kindOf = (page, selector) => line(page, selector)?.dataset.kind ?? null;
const points = (page) => page.find("#deal").elements.points.value;
const open = async (main = dealForm(), options = {}) => (await openMatch(main, options)).page;

/** Types, and waits until it is stored. */
async function type(page, value, selector = "#deal") {
  page.type(page.find(selector).elements.points ?? page.find(`${selector} input:not([type=hidden])`), value);
  await settle();
}

async function tapLine(page, selector) {
  page.tap(line(page, selector).querySelector("button"));
  await settle();
}

// --- stored -------------------------------------------------------------------------------------------

check("what is typed is stored at each change, with all it takes to take it up", async () => {
  const page = await open();
  await type(page, "9");
  await type(page, "90");
  page.choose(page.find('[value="A:H"]'));
  await settle();
  const [draft, ...others] = await drafts();
  assert.equal(others.length, 0);
  assert.equal(draft.key, "me/m/abc/deal");
  assert.deepEqual([draft.mark, draft.seq, draft.search, draft.version, draft.lang], ["me", "1", "", "1", "en"]);
  assert.deepEqual(draft.fields.filter(([name]) => ["bid", "points"].includes(name)), [["bid", "A:H"], ["points", "90"]]);
});

check("it is the same form in every language, and another one of another identity", async () => {
  await type(await open(), "90");
  assert.equal(points(await open(dealForm().replace("/en/", "/pl/"), { path: "/pl/m/abc/deal" })), "90");
  assert.equal(points(await open(dealForm(), { mark: "other" })), "");
  assert.equal(points(await open()), "90");
});

check("a page that is only opened stores nothing", async () => {
  await open();
  assert.deepEqual(await drafts(), []);
});

check("changed back it is no draft", async () => {
  const page = await open(dealForm({ points: "5" }));
  await type(page, "90");
  assert.equal((await drafts()).length, 1);
  await type(page, "5");
  assert.deepEqual(await drafts(), []);
});

check("what a browser fills in by itself, and what is empty, was not typed", async () => {
  const page = await open(dealForm({ more: '<input name="note" value="">' }));
  page.type(page.find("[name=note]"), "");
  await settle();
  assert.deepEqual(await drafts(), []);
});

check("a search, and a form that is said to be plain, are no drafts", async () => {
  const page = await open('<form id="s"><input name="q"></form><form id="p" method="post" data-plain action="/en/m/abc/x"><input name="q"></form><form id="b" method="post" action="/en/m/abc/y"><button>Undo</button></form>');
  for (const id of ["s", "p"]) await type(page, "x", `#${id}`);
  assert.deepEqual(await drafts(), []);
});

check("saved without a server, the emptied form says nothing of the draft that was restored", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await type(await open(), "90");
  const page = await open(dealForm(), { server });
  assert.equal(kindOf(page), "taken-up");
  await saveDeal(page, "91");
  assert.deepEqual([points(page), page.document.querySelectorAll("main .draft-line").length], ["", 0]);
});

check("typed and left at once: the last letter too", async () => {
  const page = await open();
  page.find("#deal").elements.points.value = "90"; // no event of it was heard
  page.document.visibilityState = "hidden";
  page.send("pagehide");
  await settle();
  assert.equal((await drafts()).length, 1);
  assert.equal(points(await open()), "90");
});

check("two forms on one page: each keeps its own", async () => {
  const two = () => dealForm() + dealForm({ id: "names", more: "" }).replace("/deal", "/names");
  const page = await open(two());
  await type(page, "90");
  await type(page, "7", "#names");
  assert.deepEqual((await drafts()).map(({ key }) => key), ["me/m/abc/deal", "me/m/abc/names"]);
  const server = makeServer();
  const second = await open(two(), { server });
  await saveDeal(second, null);
  assert.deepEqual((await drafts()).map(({ key }) => key), ["me/m/abc/names"]);
  const third = await open(two());
  assert.equal(third.find("#names").elements.points.value, "7");
  assert.equal(points(third), "");
});

check("forms at addresses with other facts are other forms", async () => {
  const form = '<form id="deal" data-look="asked" action="/en/ask/count"><input name="points" value=""></form>';
  const first = await open(form, { path: "/en/ask/count?trump=H" });
  await type(first, "4");
  assert.deepEqual((await drafts()).map(({ key }) => key), ["anyone/ask/count?trump=H"]);
  assert.equal(points(await open(form, { path: "/en/ask/count?trump=S" })), "");
});

// --- taken up -------------------------------------------------------------------------------------------

check("it is taken up again, and said so", async () => {
  await type(await open(), "90");
  const page = await open();
  assert.equal(points(page), "90");
  assert.equal(kindOf(page), "taken-up");
  assert.match(line(page).querySelector("time").textContent, /\d/);
});

check("started afresh it is gone; put back it is there again", async () => {
  await type(await open(), "90");
  const page = await open();
  await tapLine(page);
  assert.equal(points(page), "");
  assert.equal(kindOf(page), "afresh");
  assert.deepEqual(await drafts(), []);
  await tapLine(page);
  assert.equal(points(page), "90");
  assert.equal(kindOf(page), "taken-up");
  assert.equal((await drafts()).length, 1);
});

check("typed anew after starting afresh, nothing is offered any more", async () => {
  await type(await open(), "90");
  const page = await open();
  await tapLine(page);
  await type(page, "7");
  assert.equal(kindOf(page), null);
  assert.equal(points(await open()), "7");
});

check("saved it is gone", async () => {
  const server = makeServer();
  await type(await open(), "90");
  const page = await open(dealForm(), { server });
  await saveDeal(page, null);
  assert.deepEqual(server.written(), ["90"]);
  assert.deepEqual(await drafts(), []);
  assert.equal(kindOf(page), null);
});

check("waiting it is no draft any more", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  const page = await open(dealForm(), { server, worker: true });
  await saveDeal(page, "90");
  assert.deepEqual(await drafts(), []);
  assert.equal(points(await open(dealForm(), { server })), "");
});

check("the page of an answer: what was sent is all that the server put in, and stays a draft", async () => {
  await open(dealForm({ points: "300" }), { isAnswer: true });
  assert.equal((await drafts()).length, 1);
  assert.equal(points(await open()), "300");
});

check("what is typed while it is taken up is newer, the other fields have what was stored", async () => {
  await type(await open(), "90");
  const first = await open();
  first.choose(first.find('[value="A:H"]'));
  await settle();
  const opening = openMatch(dealForm());
  const input = globalThis.document.querySelector("[name=points]");
  input.value = "7";
  const { page } = await opening;
  assert.equal(points(page), "7");
  assert.equal(page.find('[value="A:H"]').checked, true);
});

check("typed before the script was there: it is stored", async () => {
  const opening = openMatch();
  globalThis.document.querySelector("[name=points]").value = "7";
  await opening;
  assert.deepEqual((await drafts())[0].fields.find(([name]) => name === "points"), ["points", "7"]);
});

check("a count stays with its contract: under another one it is offered, and comes back with its own", async () => {
  const first = await open(dealForm(), { path: `${PATH}?bid=A:H` });
  await type(first, "90");
  first.choose(first.find('[value="A:H"]'));
  await settle();
  const chosen = dealForm().replace('value="B:S"', 'value="B:S" checked');
  const page = await open(chosen, { path: `${PATH}?bid=B:S` });
  assert.equal(page.find('[value="B:S"]').checked, true);
  assert.equal(points(page), "");
  assert.equal(kindOf(page), "not-taken-up");
  await tapLine(page);
  assert.equal(page.find('[value="A:H"]').checked, true);
  assert.equal(points(page), "90");
});

check("who plays is the latest tap where nobody was said to play", async () => {
  await type(await open(), "90");
  const page = await open(dealForm().replace('value="B:S"', 'value="B:S" checked'), { path: `${PATH}?bid=B:S` });
  assert.equal(page.find('[value="B:S"]').checked, true);
  assert.equal(points(page), "90");
});

check("names that are asked for are not written over; what was typed is offered", async () => {
  await type(await open(), "90");
  const page = await open(dealForm({ points: "5" }), { path: `${PATH}?like=xyz` });
  assert.equal(points(page), "5");
  assert.equal(kindOf(page), "not-taken-up");
  await tapLine(page);
  assert.equal(points(page), "90");
});

check("the match has moved on: a draft is as old as it was", async () => {
  await type(await open(), "90");
  const page = await open(dealForm({ seq: 4 }));
  assert.equal(points(page), "90");
  assert.equal(page.find("#deal").elements.seq.value, "1");
});

check("a deal that was stored later at the server is shown; what was typed is offered", async () => {
  await type(await open(), "90");
  const since = new Date(Date.now() + 60_000).toISOString();
  const page = await open(dealForm({ seq: 2, points: "5" }).replace("<form", `<form data-since="${since}"`));
  assert.equal(points(page), "5");
  assert.equal(kindOf(page), "not-taken-up");
});

check("a question is done when it is answered: who goes back finds the facts, who asks the next one begins anew", async () => {
  const form = (more = "") => `<form id="deal" data-look="asked" ${more} action="/en/ask/count"><input name="points" value=""></form>`;
  await type(await open(form(), { path: "/en/ask/count" }), "4");
  await open(form("data-asked"), { path: "/en/ask/count" });
  assert.equal((await drafts())[0].done, true);
  assert.equal(points(await open(form(), { path: "/en/ask/count", cameBy: "back_forward" })), "4");
  await type(await open(form(), { path: "/en/ask/count" }), "4");
  await open(form("data-asked"), { path: "/en/ask/count" });
  assert.equal(points(await open(form(), { path: "/en/ask/count" })), "");
  assert.deepEqual(await drafts(), []);
});

check("scripts of the page hear that its form has other things in it", async () => {
  await type(await open(), "90");
  const opening = openMatch();
  const heard = [];
  globalThis.document.addEventListener("deal:exchanged", () => heard.push(globalThis.document.querySelector("[name=points]").value));
  await opening;
  assert.deepEqual(heard, ["90"]);
});

check("folds open where something was typed", async () => {
  const form = () => dealForm({ more: '<details class="fold"><input name="note" value=""></details><details class="fold"><input name="other" value="made"></details>' });
  const page = await open(form());
  page.type(page.find("[name=note]"), "n");
  await settle();
  const [note, other] = (await open(form())).document.querySelectorAll("details.fold");
  assert.equal(note.open, true);
  assert.equal(other.open, false);
});

// --- forms that grow ------------------------------------------------------------------------------------

const growing = ({ runs = 0, made = "" } = {}) =>
  dealForm({ more: Array.from({ length: runs }, (_run, at) => `<input name="runs-${at}" value="${made}">`).join("") }).replace("<form", '<form data-look="do=look" class="grown"');

check("a form that grows is filled in again by its draft alone, not by the browser", async () => {
  globalThis.indexedDB = { open: () => { throw new Error("no draft is found that would do it"); } };
  const growing = dealForm().replace("<form", '<form data-look="do=look"');
  assert.equal((await open(growing)).find("#deal").autocomplete, "off");
  assert.notEqual((await open()).find("#deal").autocomplete, "off");
});

check("a form that grows is made by the server, with what was typed in it", async () => {
  const first = await open(growing({ runs: 1 }));
  first.type(first.find("[name=runs-0]"), "3");
  await settle();
  const server = { answer: () => reply(growing({ runs: 1, made: "3" }).replace('"token"', '"other-token"')) };
  const page = await open(growing(), { server });
  const [request] = page.requests;
  assert.equal(request.headers["X-Part"], "form");
  assert.deepEqual(request.fields.filter(([name]) => ["do", "runs-0", "csrf_token"].includes(name)), [["runs-0", "3"], ["csrf_token", "token"], ["do", "look"]]);
  assert.equal(page.find("[name=runs-0]").value, "3");
  assert.equal(page.find("[name=csrf_token]").value, "token"); // that of the page
});

for (const [loss, answer] of Object.entries({
  "without network": noNetwork,
  "of a server that fails": () => reply("broken", { status: 500 }),
})) {
  check(`${loss}: the form has the shape it had, and what was typed since`, async () => {
    const first = await open(growing({ runs: 2 }));
    first.type(first.find("[name=runs-1]"), "4");
    await settle();
    const page = await open(growing(), { server: { answer } });
    assert.equal(page.find("[name=runs-1]").value, "4");
    assert.equal(page.find("[name=csrf_token]").value, "token");
  });
}

check("on a cached page the server is not asked", async () => {
  const first = await open(growing({ runs: 1 }));
  first.type(first.find("[name=runs-0]"), "3");
  await settle();
  const page = await open(growing(), { kept: true });
  assert.equal(page.requests.length, 0);
  assert.equal(page.find("[name=runs-0]").value, "3");
});

check("an old browser, that cannot give a request up by the clock, waits as long as it takes", async () => {
  const first = await open(growing({ runs: 1 }));
  first.type(first.find("[name=runs-0]"), "3");
  await settle();
  const server = { answer: () => reply(growing({ runs: 1, made: "3" })) };
  const opening = openMatch(growing(), { server });
  AbortSignal.timeout = undefined;
  const { page } = await opening;
  assert.equal(page.find("[name=runs-0]").value, "3");
});

check("what the server made anew after a tap is no draft", async () => {
  const page = await open(growing());
  await type(page, "90");
  page.find("#deal").innerHTML = page.find("#deal").innerHTML.replace('name="points" value=""', 'name="points" value="90"');
  page.find("#deal").dispatchEvent(new Event("form:written", { bubbles: true }));
  await settle();
  assert.deepEqual(await drafts(), []);
});

// --- beside the outbox ----------------------------------------------------------------------------------

check("what waits and what is typed do not meet: each by itself, and each once", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveDeal(await open(dealForm(), { server, worker: true }), "90");
  const next = await open(dealForm(), { server, worker: true });
  await type(next, "60");
  const [{ id }] = await readAll("waiting");
  const changing = await open(dealForm(), { server, worker: true, path: `${PATH}#waiting=${id}` });
  assert.equal(points(changing), "90");
  assert.equal((await drafts()).length, 1);
  await type(changing, "91");
  assert.equal((await drafts()).length, 2);
  const again = await open(dealForm(), { server, worker: true });
  assert.equal(points(again), "91"); // the later one
  assert.equal(again.find("#deal").dataset.waiting, String(id));
  await saveDeal(again, null);
  assert.equal(lines(await open("", { server, worker: true, path: "/en/m/abc" })).length, 1);
  const second = await open(dealForm(), { server, worker: true });
  assert.equal(points(second), "60");
  await saveDeal(second, null);
  assert.deepEqual(await drafts(), []);
  server.fate = null;
  await open("<div data-board></div>", { server, worker: true, path: "/en/m/abc" });
  await settle();
  assert.deepEqual(server.written(), ["91", "60"]);
});

check("a change of what was sent meanwhile is there again, as a new entry that knows nothing of it", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveDeal(await open(dealForm(), { server, worker: true }), "90");
  const [{ id }] = await readAll("waiting");
  await type(await open(dealForm(), { server, worker: true, path: `${PATH}#waiting=${id}` }), "91");
  server.fate = null;
  await open("<div data-board></div>", { server, worker: true, path: "/en/m/abc" });
  assert.deepEqual(server.written(), ["90"]);
  const page = await open(dealForm({ seq: 2 }), { server, worker: true });
  assert.equal(points(page), "91");
  assert.equal("waiting" in page.find("#deal").dataset, false);
  await saveDeal(page, null);
  assert.equal(page.find("[role=alert]").textContent, "The match has moved on");
  assert.equal(points(page), "91");
  assert.deepEqual(server.written(), ["90"]);
  assert.equal((await drafts()).length, 1);
});

// --- where nothing can be kept ---------------------------------------------------------------------------

check("a window that cannot keep says so once something is typed, once in a tab", async () => {
  globalThis.indexedDB = { open: () => { throw new Error("a private window"); } };
  const session = {};
  const page = await open(`<div class="dock">${dealForm()}</div>`, { session });
  assert.equal(page.find(".unkept"), null);
  await type(page, "9");
  await type(page, "90");
  assert.equal(page.document.querySelectorAll(".unkept").length, 1);
  const second = await open(`<div class="dock">${dealForm()}</div>`, { session });
  await type(second, "9");
  assert.equal(second.find(".unkept"), null);
});

check("a browser whose window forgets says so too", async () => {
  const page = await open(`<div class="dock">${dealForm()}</div>`);
  globalThis.navigator.storage = { getDirectory: () => Promise.reject(new Error("not here")) };
  await type(page, "9");
  assert.equal(page.document.querySelectorAll(".unkept").length, 1);
  assert.equal((await drafts()).length, 1);
});

check("without room the sentence; with room again it is stored", async () => {
  const page = await open(`<div class="dock">${dealForm()}</div>`);
  const { IDBObjectStore } = await import("fake-indexeddb"), { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  try {
    await type(page, "9");
    assert.equal(page.document.querySelectorAll(".unkept").length, 1);
  } finally {
    IDBObjectStore.prototype.put = put;
  }
  await type(page, "90");
  assert.equal((await drafts()).length, 1);
});

check("an ordinary window says nothing", async () => {
  const page = await open(`<div class="dock">${dealForm()}</div>`);
  globalThis.navigator.storage = { getDirectory: () => Promise.resolve({}) };
  await type(page, "9");
  assert.equal(page.find(".unkept"), null);
});
