// What was on a phone alone, and whose database its browser has deleted: the next page says how much that was, once.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../support/database.mjs";
import { load, loadAll } from "../support/fresh.mjs";
import { dealForm, makeServer, noNetwork, pageOf, saveDeal } from "../support/match.mjs";
import { openPage, settle } from "../support/page.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, work);

const NOTE = '<p id="at-risk" hidden></p>' +
  '<div id="lost" hidden data-said="{count} lost"><p></p><button>Close</button></div>';

/** A page on a phone; `local` is what its browser keeps beside the databases. */
async function open(local, { server, path = "/en/m/abc/deal" } = {}) {
  const page = openPage(pageOf(NOTE + dealForm()), { path, local });
  page.fetch = server?.answer ?? noNetwork;
  globalThis.navigator.serviceWorker = { controller: {}, addEventListener() {} };
  const [, outbox] = await loadAll("offline/risk.js", "offline/outbox.js", "offline/waiting.js", "offline/drafts.js");
  await settle();
  return { page, outbox, said: () => (page.find("#lost").hidden ? "" : page.find("#lost p").textContent) };
}

/** Saves so many deals without network. */
async function saveSome(local, count) {
  const server = makeServer();
  server.fate = noNetwork;
  for (let n = 1; n <= count; n++) {
    const { page } = await open(local, { server });
    await saveDeal(page, String(80 + n));
  }
  return server;
}

check("entries that waited in a database that is gone are said to be lost, until somebody has read it", async () => {
  const local = {};
  await saveSome(local, 2);
  assert.equal((await open(local)).said(), "");
  openDevice(); // another one, and empty
  for (let n = 0; n < 2; n++) assert.equal((await open(local)).said(), "2 lost");
  const { page, said } = await open(local);
  page.tap(page.find("#lost button"));
  assert.equal(said(), "");
  assert.equal((await open(local)).said(), "");
});

check("what was lost before, and not read, is counted with it", async () => {
  const local = {};
  for (const text of ["1 lost", "2 lost"]) {
    await saveSome(local, 1);
    openDevice();
    assert.equal((await open(local)).said(), text);
  }
});

check("what was sent, or thrown away, is not lost with the database", async () => {
  const local = {};
  const server = await saveSome(local, 1);
  server.fate = null;
  await (await open(local, { server })).outbox.trySending();
  await settle();
  assert.deepEqual(server.written(), ["81"]);
  await saveSome(local, 1);
  const { outbox } = await open(local);
  const [{ id }] = await outbox.findWaiting();
  await outbox.throwAway(id);
  await settle();
  openDevice();
  assert.equal((await open(local)).said(), "");
  assert.deepEqual(local, {});
});

check("a database that cannot be opened has lost nothing", async () => {
  const local = {};
  await saveSome(local, 1);
  const { indexedDB } = globalThis;
  globalThis.indexedDB = { open: () => { throw new Error("no disk"); } };
  assert.equal((await open(local)).said(), "");
  globalThis.indexedDB = indexedDB;
  assert.equal((await open(local)).said(), "");
});

// --- the program ------------------------------------------------------------------------------------------

const MARKS = `${NOTE}<div id="pocket-strip" data-said="{count} unsent"><span data-unsent></span></div><p id="pocket-aside" data-said="{count}"><a></a></p><p id="pocket-outdated"></p>`;

/** A page on a phone with the program, whose worker says this of itself. */
async function openWithProgram(local, status) {
  const page = openPage(pageOf(MARKS), { local });
  const active = { scriptURL: "https://club.example/sw-pocket.js", postMessage: (_what, [port]) => port.postMessage({ aside: 0, unsent: 0, ...status }) };
  globalThis.navigator.serviceWorker = { getRegistration: async () => ({ active }), addEventListener() {} };
  await loadAll("offline/risk.js", "offline/app/marks.js");
  await settle();
  return page.find("#lost").hidden ? "" : page.find("#lost p").textContent;
}

check("the program's entries are counted the same way, with those that wait for a decision", async () => {
  const local = {}, { changeBrowser } = await load("offline/app/rows.js");
  await changeBrowser("me");
  assert.equal(await openWithProgram(local, { mark: "me", unsent: 2, aside: 1 }), "");
  assert.equal(await openWithProgram(local, {}), ""); // the worker could not read what is there
  openDevice();
  assert.equal(await openWithProgram(local, {}), "3 lost");
});

check("a program that was removed by a tap has lost nothing", async () => {
  const local = {}, { changeBrowser } = await load("offline/app/rows.js");
  await changeBrowser("me");
  await openWithProgram(local, { mark: "me", unsent: 2 });
  window.caches = undefined;
  const { removeAll } = await load("offline/app/asking.js");
  await removeAll().catch(() => {});
  openDevice();
  assert.equal(await openWithProgram(local, {}), "");
});
