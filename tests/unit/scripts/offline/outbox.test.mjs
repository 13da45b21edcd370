import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice, readAll } from "../support/database.mjs";
import { load } from "../support/fresh.mjs";
import { dealForm, lines, makeServer, noNetwork, openMatch, pageOf, saveDeal } from "../support/match.mjs";
import { makeBrowser, reply, settle } from "../support/page.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, work);

/** A phone without network, with a worker: after each Save it goes on at the board. */
async function openWithoutNetwork(main, options = {}) {
  const server = makeServer();
  server.fate = noNetwork;
  const opened = await openMatch(main, { server, worker: true, ...options });
  return { ...opened, server };
}

/** Each of the numbers is saved on a page of its own, made from the same board. */
async function saveEach(server, ...numbers) {
  for (const points of numbers) {
    const { page } = await openMatch(dealForm(), { server, worker: true });
    await saveDeal(page, points);
  }
}

const openBoard = (server, options = {}) => openMatch('<div data-board></div>', { server, worker: true, path: "/en/m/abc", ...options });
const stored = () => readAll("waiting");
const states = async () => (await stored()).map(({ state }) => state);

// --- a form is sent -----------------------------------------------------------------------------------

check("a form that is written leads to where the server says", async () => {
  const server = makeServer();
  const { page } = await openMatch(dealForm(), { server });
  await saveDeal(page, "90");
  assert.deepEqual(server.written(), ["90"]);
  assert.deepEqual(page.visited, ["/en/m/abc"]);
  assert.deepEqual(await stored(), []);
  assert.equal(page.requests[0].headers["X-Script"], "1");
});

check("a phone that can vibrates once when an entry is sent", async () => {
  const { page } = await openMatch(dealForm(), { server: makeServer() });
  const felt = [];
  globalThis.navigator.vibrate = (length) => felt.push(length);
  await saveDeal(page, "90");
  assert.deepEqual(felt, [15]);
});

check("what makes no event of a log, as a new match, leaves the outbox too", async () => {
  const server = makeServer();
  server.fate = () => reply({ to: "/en/m/abc", seq: null });
  const { page } = await openMatch(dealForm(), { server, worker: true });
  await saveDeal(page, "90");
  assert.deepEqual([page.visited, await stored()], [["/en/m/abc"], []]);
});

check("a form that is saved just before its page is ready leads on as well", async () => {
  const server = makeServer();
  const { page } = await openMatch(dealForm(), { server });
  page.find("#deal").requestSubmit(page.find("[value=save]"));
  page.send("pageshow", { persisted: false }); // which sends what waits, this entry among it
  await settle();
  assert.deepEqual([server.written(), page.visited], [[""], ["/en/m/abc"]]);
});

check("an entry is on the device before it is sent", async () => {
  const server = makeServer();
  const { page } = await openMatch(dealForm(), { server });
  let found;
  server.fate = async () => { found = await stored(); };
  await saveDeal(page, "90");
  const [{ at, opened, id, ...entry }] = found;
  assert.ok(id && opened && at.endsWith("Z"));
  assert.deepEqual(Object.keys(entry).sort(), ["action", "fields", "html", "mark", "match", "name", "page", "state", "text"]);
  assert.deepEqual([entry.mark, entry.match, entry.page, entry.name, entry.state], ["me", "abc", "/en/m/abc/deal", "Save", "new"]);
  assert.equal(entry.text, "90");
});

check("without network it waits, and the player goes on at the board", async () => {
  const { page } = await openWithoutNetwork();
  await saveDeal(page, "90");
  assert.deepEqual(page.visited, ["/en/m/abc"]);
  assert.deepEqual(await states(), ["silent"]);
  assert.equal(lines(page).length, 1);
  assert.equal(page.find("#waiting").hidden, false);
});

check("without a worker the page stays, and its form is another one", async () => {
  const { page } = await openWithoutNetwork(dealForm(), { worker: false });
  const key = page.find("#deal").elements.form_key.value;
  await saveDeal(page, "90");
  assert.deepEqual(page.visited, []);
  const { form_key, points } = page.find("#deal").elements;
  assert.equal(points.value, "");
  assert.notEqual(form_key.value, key);
  await saveDeal(page, "90");
  assert.equal((await stored()).length, 2);
});

check("a form that grows is put back as the page came", async () => {
  const { page } = await openWithoutNetwork(dealForm().replace("data-saves", 'data-look="do=look" data-saves'), { worker: false });
  const form = page.find("#deal");
  form.querySelector("[name=points]").after(Object.assign(document.createElement("input"), { name: "runs-0" }));
  await saveDeal(page, "90");
  assert.equal(form.elements["runs-0"], undefined);
  assert.match((await stored())[0].html, /runs-0/);
});

check("Save tapped three times is one entry", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  const { page } = await openMatch(dealForm(), { server });
  await saveDeal(page, "90", { taps: 3 });
  assert.equal((await stored()).length, 1);
  server.fate = null;
  await page.advance(5_000);
  assert.deepEqual(server.written(), ["90"]);
});

check("what only asks, or saves nothing, is sent as ever", async () => {
  const { page } = await openMatch(`${dealForm()}<form id="plain" method="post" data-plain><button>x</button></form><form id="get"><button>x</button></form>`);
  for (const [id, button] of [["deal", "[value=audit]"], ["plain", "button"], ["get", "button"]]) {
    const form = page.find(`#${id}`);
    form.requestSubmit(form.querySelector(button));
  }
  await settle();
  assert.deepEqual(await stored(), []);
  assert.equal(page.requests.length, 0);
  assert.equal(page.find("#plain").dataset.sent, "1");
});

check("coming back to a page the browser kept, its forms may be sent again", async () => {
  const server = makeServer();
  const { page } = await openMatch(dealForm(), { server });
  await saveDeal(page, "90");
  page.find("#deal").dataset.sent = "1";
  page.find("[value=save]").setAttribute("aria-busy", "true");
  page.send("pageshow", { persisted: true });
  assert.equal("sent" in page.find("#deal").dataset, false);
  assert.equal(page.find("[value=save]").hasAttribute("aria-busy"), false);
});

check("two hands that end alike are two hands, though both came from one cached page", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  const cached = pageOf(dealForm());
  for (let hand = 0; hand < 2; hand++) {
    const { page } = await openMatch(/<form[^]*<\/form>/.exec(cached)[0], { server, worker: true, kept: true });
    (await load("offline/fields.js")).renewKey(page.find("#deal")); // cached_pages.js does
    await saveDeal(page, "90");
  }
  server.fate = null;
  await openBoard(server);
  assert.deepEqual(server.written(), ["90", "90"]);
});

// --- the order --------------------------------------------------------------------------------------------

check("entries are written in the order they were saved in, each on top of the one before", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90", "91", "92");
  const { page } = await openBoard(server);
  assert.deepEqual(lines(page).map((line) => line.querySelector("[data-text]").textContent), ["90", "91", "92"]);
  server.fate = null;
  page.tap(page.find("[data-try]"));
  await settle();
  assert.deepEqual(server.written(), ["90", "91", "92"]);
  assert.deepEqual(await stored(), []);
  assert.equal(page.find("#waiting").hidden, true);
  assert.equal(page.reloads, 1);
});

check("behind others it waits at once, and is not sent ahead of them", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const { page } = await openMatch(dealForm(), { server, worker: true });
  await page.advance(0);
  page.requests.length = 0;
  await saveDeal(page, "91");
  assert.equal(page.requests.length, 0);
  assert.deepEqual(await states(), ["silent", "new"]);
});

check("when nobody answers the first, nothing behind it is tried", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90", "91");
  const { page } = await openBoard(server);
  assert.equal(page.requests.length, 1);
});

check("a refused entry holds back those of its match, and no others", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "300", "91");
  const { page: other } = await openMatch(dealForm({ match: "xyz" }), { server, worker: true, path: "/en/m/xyz/deal" });
  await saveDeal(other, "50");
  server.fate = null;
  const { page } = await openBoard(server);
  await settle();
  assert.deepEqual(server.written(), []);
  assert.deepEqual(server.written("xyz"), ["50"]);
  assert.deepEqual(await states(), ["refused", "new"]);
  assert.deepEqual(lines(page).map((line) => line.querySelector("[data-state]").textContent), ["not saved", "behind"]);
  assert.equal(page.find("[data-some-refused]").hidden, false);
  const before = page.requests.length;
  page.send("online");
  await settle();
  assert.equal(page.requests.length, before);
});

check("a failing server holds back one match, and the next is sent", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90", "91");
  const { page: other } = await openMatch(dealForm({ match: "xyz" }), { server, worker: true, path: "/en/m/xyz/deal" });
  await saveDeal(other, "50");
  server.fate = ({ url }) => (url.includes("abc") ? reply("broken", { status: 500 }) : null);
  const { page } = await openBoard(server);
  await settle();
  assert.deepEqual(server.written("xyz"), ["50"]);
  assert.equal(page.requests.filter(({ url }) => url.includes("abc")).length, 1);
});

// --- what becomes of it --------------------------------------------------------------------------------------

const fates = {
  "a café's page": () => new Response("<html>welcome</html>", { status: 200 }),
  "a redirect of a café": () => new Response("moved", { status: 303 }),
  "an ordinary 404 of a proxy": () => new Response("not here", { status: 404 }),
  "a server that fails": () => reply("broken", { status: 500 }),
  "a proxy without a server": () => reply("gone", { status: 503 }),
  "another identity": () => reply("<main id=\"main\"></main>", { status: 422, headers: { "X-Browser": "somebody" } }),
  "a body that breaks off": () => new Response("{", { headers: { "X-Version": "1", "Content-Type": "application/json" } }),
  "no answer": noNetwork,
};
for (const [name, fate] of Object.entries(fates)) {
  check(`${name} is no answer: it waits, and is written once later`, async () => {
    const server = makeServer();
    server.fate = fate;
    const { page } = await openMatch(dealForm(), { server, worker: true });
    await saveDeal(page, "90");
    assert.deepEqual(await states(), ["silent"]);
    assert.deepEqual(page.visited, ["/en/m/abc"]);
    server.fate = null;
    await openBoard(server);
    assert.deepEqual(server.written(), ["90"]);
  });
}

check("an answer that was lost: the same entry is sent again, and counts once", async () => {
  const server = makeServer();
  let lost = 0;
  const { answer } = server;
  server.answer = async (request) => {
    const real = await answer(request);
    return lost++ ? real : noNetwork();
  };
  const { page } = await openMatch(dealForm(), { server, worker: true });
  await saveDeal(page, "90");
  assert.deepEqual(await states(), ["silent"]);
  await openBoard(server);
  assert.deepEqual(server.written(), ["90"]);
  assert.deepEqual(await stored(), []);
});

check("it gives up after ten seconds", async () => {
  const server = makeServer();
  const { page } = await openMatch(dealForm(), { server });
  let asked;
  AbortSignal.timeout = (time) => { asked = time; };
  await saveDeal(page, "90");
  assert.equal(asked, 10_000);
});

for (const status of [400, 409, 422]) {
  check(`${status}: the page that says why stands in its place, and nothing waits`, async () => {
    const server = makeServer();
    server.fate = () => reply(pageOf(`<p role="alert">why</p>${dealForm({ points: "90", seq: 7 })}`), { status });
    const { page } = await openMatch(dealForm(), { server, worker: true });
    await saveDeal(page, "90");
    assert.deepEqual(page.visited, []);
    assert.equal(page.find("[role=alert]").textContent, "why");
    assert.deepEqual(await stored(), []);
    assert.equal("sent" in page.find("#deal").dataset, false);
    assert.equal(page.find("#deal").elements.seq.value, "7");
    server.fate = null;
    server.written().length;
    for (let n = 0; n < 6; n++) server.writeElsewhere("1");
    await saveDeal(page, "95");
    assert.deepEqual(server.written().at(-1), "95");
  });
}

check("who may not write here any more keeps the page, with all that was typed", async () => {
  const server = makeServer();
  server.fate = () => reply('<html><body><div id="refused" hidden>not yours</div></body></html>', { status: 403 });
  const { page } = await openMatch(`<div class="matter">${dealForm()}</div>`, { server, worker: true });
  await saveDeal(page, "90");
  assert.equal(page.find(".matter #refused").hidden, false);
  assert.equal(page.find("#deal").elements.points.value, "90");
});

check("where the match is gone the answer is shown, and the entry stays on the device", async () => {
  const server = makeServer();
  server.fate = () => reply(pageOf("<h1>Match not found</h1>"), { status: 404 });
  const { page } = await openMatch(dealForm(), { server, worker: true });
  await saveDeal(page, "90");
  assert.equal(page.find("h1").textContent, "Match not found");
  assert.deepEqual(await states(), ["refused"]);
});

check("a refused entry with others behind it keeps its place, and is changed there", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "300", "91");
  const [{ id }] = await stored();
  server.fate = null;
  await openBoard(server);
  const { page } = await openMatch(dealForm(), { server, worker: true, path: `/en/m/abc/deal#waiting=${id}` });
  await settle();
  assert.equal(page.find("[role=alert]").textContent, "More than there is");
  assert.equal(page.find("#deal").elements.points.value, "300");
  assert.equal(page.find("#deal").dataset.waiting, String(id));
  assert.deepEqual(await states(), ["refused", "new"]);
  await saveDeal(page, "90");
  await page.advance(5_000);
  await openBoard(server);
  await settle();
  assert.deepEqual(server.written(), ["90", "91"]);
});

check("429: it waits until the moment the server names, unless somebody asks", async () => {
  const server = makeServer();
  server.fate = () => reply('<p data-why="Too many entries.">slow down</p>', { status: 429, headers: { "Retry-After": "60" } });
  const { page } = await openMatch(dealForm(), { server, worker: true });
  await saveDeal(page, "90");
  const [entry] = await stored();
  assert.ok(Math.abs(entry.until - Date.now() - 60_000) < 5_000);
  assert.equal(entry.why, "Too many entries.");
  server.fate = null;
  const { page: board } = await openBoard(server);
  assert.match(lines(board)[0].querySelector("[data-state]").textContent, /^Too many entries\. not before /);
  assert.match(board.find("[data-some-later]").textContent, /not before/);
  await board.advance(30_000);
  assert.equal(board.requests.length, 0);
  board.tap(board.find("[data-try]"));
  await settle();
  assert.deepEqual(server.written(), ["90"]);
});

check("429: what is behind it waits too, and it is sent by itself when its time has come", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90", "91");
  server.fate = () => reply("slow down", { status: 429, headers: { "Retry-After": "20" } });
  const { page } = await openBoard(server);
  assert.equal(page.requests.length, 1);
  assert.deepEqual(lines(page).map((line) => line.querySelector("[data-state]").textContent.split(" ")[0]), ["not", "behind"]);
  server.fate = null;
  await page.advance(15_000);
  assert.deepEqual(server.written(), []);
  await page.advance(60_000);
  assert.deepEqual(server.written(), ["90", "91"]);
});

check("a Retry-After that is a date, or none, is none", async () => {
  const server = makeServer();
  for (const headers of [{}, { "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" }]) {
    server.fate = () => reply("busy", { status: 503, headers });
    const { page } = await openMatch(dealForm(), { server, worker: true });
    await saveDeal(page, "90");
  }
  assert.deepEqual((await stored()).map(({ until }) => until), [undefined, undefined]);
});

check("the token of an earlier session is renewed, once", async () => {
  const server = makeServer();
  server.fate = ({ fields }) => (Object.fromEntries(fields).csrf_token === "new" ? null : reply("", { status: 400, headers: { "X-Token": "new" } }));
  const { page } = await openMatch(dealForm(), { server });
  await saveDeal(page, "90");
  assert.deepEqual(server.written(), ["90"]);
  assert.equal(page.requests.length, 2);
});

// --- seen ---------------------------------------------------------------------------------------------------

check("what is typed on top of a waiting entry follows it", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const { page } = await openMatch(dealForm(), { server, worker: true });
  page.type(page.find("#deal").elements.points, "40");
  server.fate = null;
  page.send("online");
  await settle();
  assert.equal(page.find("#deal").elements.seq.value, "2");
  await saveDeal(page, null);
  assert.deepEqual(server.written(), ["90", "40"]);
});

check("a draft on top of a waiting entry follows it, also after a reload", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const first = await openMatch(dealForm(), { server, worker: true });
  first.page.type(first.page.find("#deal").elements.points, "40");
  await settle();
  server.fate = null;
  await openBoard(server);
  await settle();
  const { page } = await openMatch(dealForm({ seq: 1 }), { server, worker: true });
  assert.equal(page.find("#deal").elements.points.value, "40");
  await saveDeal(page, null);
  assert.deepEqual(server.written(), ["90", "40"]);
});

check("a page that was there before the other tab's entry knows nothing of it, and is told", async () => {
  const server = makeServer(), browser = makeBrowser();
  const { page: first } = await openMatch(dealForm(), { server, browser });
  first.type(first.find("#deal").elements.points, "90");
  await first.advance(10_000);
  const { seq } = first.find("#deal").elements;
  const tab = await openMatch(dealForm(), { server, browser });
  await saveDeal(tab.page, "20");
  assert.deepEqual(server.written(), ["20"]);
  assert.equal(seq.value, "1"); // it was opened before that was saved
});

check("what others wrote meanwhile refuses what was made without them, and all behind it waits", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "50", "51");
  server.fate = null;
  server.writeElsewhere("92");
  const { page } = await openBoard(server);
  await settle();
  assert.deepEqual(server.written(), ["92"]);
  assert.deepEqual(await states(), ["refused", "new"]);
  const [{ id }] = await stored();
  const opened = await openMatch(dealForm({ seq: 2 }), { server, worker: true, path: `/en/m/abc/deal#waiting=${id}` });
  await settle();
  assert.equal(opened.page.find("[role=alert]").textContent, "The match has moved on");
  assert.equal(opened.page.find("#deal").elements.points.value, "50");
  await saveDeal(opened.page, "55");
  await openBoard(server);
  await settle();
  assert.deepEqual(server.written(), ["92", "55", "51"]);
  assert.equal(page.visited.length, 0);
});

check("two devices had deals waiting: the second is asked, nothing is lost and nothing written twice", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const first = globalThis.indexedDB;
  const second = openDevice();
  await saveEach(server, "50");
  server.fate = null;
  globalThis.indexedDB = first;
  await openBoard(server);
  assert.deepEqual(server.written(), ["90"]);
  globalThis.indexedDB = second;
  await openBoard(server);
  await settle();
  assert.deepEqual(await states(), ["refused"]);
  assert.deepEqual(server.written(), ["90"]);
});

// --- changed, thrown away ------------------------------------------------------------------------------------

check("a waiting entry is changed: it opens as it was typed, and stays in its place", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90", "91");
  const [{ id }] = await stored();
  const { page } = await openMatch(dealForm(), { server, worker: true, path: `/en/m/abc/deal#waiting=${id}` });
  assert.equal(page.find("#deal").elements.points.value, "90");
  assert.equal(location.hash, "");
  await saveDeal(page, "95");
  assert.deepEqual((await stored()).map(({ text }) => text), ["95", "91"]);
  server.fate = null;
  await openBoard(server);
  await settle();
  assert.deepEqual(server.written(), ["95", "91"]);
});

check("an entry is thrown away only when one says so; the others are written", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90", "91");
  const { page } = await openBoard(server);
  const tap = async (name) => {
    page.tap(lines(page)[0].querySelector(`[data-${name}]`));
    await settle();
  };
  await tap("drop");
  assert.equal(lines(page)[0].querySelector("[data-question]").hidden, false);
  await tap("spare");
  assert.equal(lines(page)[0].querySelector("[data-question]").hidden, true);
  assert.equal(lines(page).length, 2);
  server.fate = null;
  await tap("drop");
  await tap("surely");
  await settle();
  assert.deepEqual(server.written(), ["91"]);
  assert.equal(lines(page).length, 0);
});

check("an entry whose form is nowhere can only be thrown away", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const [{ id }] = await stored();
  const { page } = await openMatch("<p>no form</p>", { server, worker: true, path: `/en/m/abc/deal#waiting=${id}` });
  assert.deepEqual(await states(), ["silent"]);
  assert.equal(lines(page).length, 1);
});

// --- whose, and when -----------------------------------------------------------------------------------------

check("it belongs to the identity that filled it", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  server.fate = null;
  server.mark = "other";
  const other = await openBoard(server, { mark: "other" });
  assert.equal(other.page.find("#waiting").hidden, true);
  assert.equal(other.page.requests.length, 0);
  server.mark = "me";
  await openBoard(server);
  assert.deepEqual(server.written(), ["90"]);
});

check("what was filled in before there was an identity is anybody's", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  const { page } = await openMatch(dealForm(), { server, worker: true, mark: "nobody" });
  await saveDeal(page, "90");
  server.fate = null;
  await openBoard(server, { mark: "me" });
  assert.deepEqual(server.written(), ["90"]);
});

check("a page of another match shows what waits for its own match only, and sends all", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const { page } = await openMatch("", { server, worker: true, path: "/en/m/xyz" });
  assert.equal(page.find("#waiting").hidden, true);
  const [{ id }] = await stored();
  const other = await openMatch(dealForm({ match: "xyz" }), { server, worker: true, path: `/en/m/xyz/deal#waiting=${id}` });
  assert.equal("waiting" in other.page.find("#deal").dataset, false);
  assert.equal(other.page.find("#deal").elements.points.value, "");
  server.fate = null;
  other.page.send("online");
  await settle();
  assert.deepEqual(server.written(), ["90"]);
});

check("two tabs send what waits once", async () => {
  const server = makeServer(), browser = makeBrowser();
  server.fate = noNetwork;
  await saveEach(server, "90", "91");
  const requests = [];
  server.fate = (request) => { requests.push(request); };
  await Promise.all([openBoard(server, { browser }), openBoard(server, { browser })]);
  await settle();
  assert.deepEqual(server.written(), ["90", "91"]);
  assert.equal(requests.length, 2);
});

check("it is tried less and less often, and at once when there is a network", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const { page } = await openBoard(server);
  const at = [];
  server.fate = () => { at.push(Date.now()); return noNetwork(); };
  await page.advance(200_000);
  const pauses = at.map((time, n) => Math.round((time - (at[n - 1] ?? at[0])) / 1000)).slice(1);
  assert.deepEqual(pauses.slice(0, 4), [10, 20, 40, 60]);
  const before = at.length;
  page.send("online");
  await settle();
  assert.equal(at.length, before + 1);
});

check("a page that is out of sight sends nothing by itself", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const { page } = await openBoard(server);
  page.requests.length = 0;
  page.document.visibilityState = "hidden";
  await page.advance(60_000);
  assert.equal(page.requests.length, 0);
  server.fate = null;
  page.document.visibilityState = "visible";
  page.document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  assert.deepEqual(server.written(), ["90"]);
});

check("a board shows what was written, but not under a finger that has just tapped", async () => {
  const server = makeServer();
  server.fate = noNetwork;
  await saveEach(server, "90");
  const { page } = await openBoard(server);
  server.fate = null;
  page.send("beforeunload");
  page.send("online");
  await settle();
  assert.deepEqual(server.written(), ["90"]);
  assert.equal(page.reloads, 0);
});

check("where nothing can be kept the page is sent all the same, and says so when there is no answer", async () => {
  const server = makeServer();
  globalThis.indexedDB = { open: () => { throw new Error("a private window"); } };
  const { page } = await openMatch(dealForm(), { server });
  await saveDeal(page, "90");
  assert.deepEqual(server.written(), ["90"]);
  server.fate = noNetwork;
  const { page: second } = await openMatch(dealForm({ seq: 2 }), { server });
  await saveDeal(second, "91");
  assert.equal(second.find("#unkept").hidden, false);
  assert.equal(second.find("#deal").elements.points.value, "91");
  server.fate = null;
  await saveDeal(second, null);
  assert.deepEqual(server.written(), ["90", "91"]);
});
