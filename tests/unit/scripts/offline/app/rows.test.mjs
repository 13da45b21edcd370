import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../../support/database.mjs";
import { load } from "../../support/fresh.mjs";
import { openPage } from "../../support/page.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, async () => work(await load("offline/app/rows.js")));

check("nothing is known of a new device", async (rows) => {
  assert.equal(await rows.readBrowser(), null);
  assert.deepEqual(await rows.readRows("me"), { rows: [], news: [], last: 0 });
  assert.equal(await rows.countLosses(), 0);
});

check("what is known of a browser is there after a restart", async (rows) => {
  assert.deepEqual(await rows.changeBrowser("me"), { mark: "me" });
  await rows.keep("me", { known: { seed: { a: 1 }, unsent: 2, have: { abc: [3, "w"] } } });
  const again = await load("offline/app/rows.js");
  assert.deepEqual(await again.readBrowser(), { mark: "me", seed: { a: 1 }, unsent: 2, have: { abc: [3, "w"] } });
});

check("the database has its name from the path of the app, as the page that removes it reckons", async (rows) => {
  await rows.changeBrowser("me");
  openPage("");
  const { below } = await load("offline/storage.js");
  assert.deepEqual((await globalThis.indexedDB.databases()).map(({ name }) => name), [`pocket:${below}`]);
});

check("rows are kept by their places, changed and deleted, and are one browser's", async (rows) => {
  await rows.keep("me", { rows: [[["matches", "abc"], { n: 1 }], [["events", "abc", 2], "two"], [["events", "abc", 10], "ten"]] });
  await rows.keep("other", { rows: [[["matches", "xyz"], {}]] });
  await rows.keep("me", { rows: [[["matches", "abc"], { n: 2 }], [["events", "abc", 2], null]] });
  const found = await rows.readRows("me");
  assert.deepEqual(found.rows, [[["events", "abc", 10], "ten"], [["matches", "abc"], { n: 2 }]]);
  assert.deepEqual((await rows.readRows("other")).rows, [[["matches", "xyz"], {}]]);
  assert.deepEqual((await rows.readRows("m")).rows, []); // a mark that begins another one
});

check("news wait in their order, until they were read", async (rows) => {
  for (const text of ["one", "two", "three"]) await rows.addNews("me", text, { rulings: text });
  const { news, last } = await rows.readRows("me");
  assert.deepEqual([news, last], [["one", "two", "three"], 3]);
  await rows.addNews("me", "four", {});
  await rows.keep("me", { last });
  assert.deepEqual((await rows.readRows("me")).news, ["four"]);
  await rows.changeBrowser("me");
  assert.equal((await rows.readBrowser()).rulings, "three");
});

check("another identity comes and goes, and finds its own again", async (rows) => {
  await rows.changeBrowser("me");
  await rows.keep("me", { known: { unsent: 1 } });
  assert.deepEqual(await rows.changeBrowser("other"), { mark: "other" });
  assert.deepEqual(await rows.readBrowser(), { mark: "other" });
  assert.deepEqual(await rows.changeBrowser("me"), { mark: "me", unsent: 1 });
});

check("what would be lost: of one browser, or of all", async (rows) => {
  await rows.keep("me", { known: { unsent: 2, aside: 1, have: {} } });
  await rows.keep("other", { known: { unsent: 4 } });
  assert.equal(await rows.countLosses("me"), 3);
  assert.equal(await rows.countLosses(), 7);
  await rows.removeAll();
  assert.equal(await rows.countLosses(), 0);
});

check("all of a change is written, or nothing of it", async (rows) => {
  await rows.changeBrowser("me");
  await assert.rejects(rows.keep("me", { known: { unsent: 5, seed: () => {} } })); // a function cannot be kept
  assert.deepEqual(await rows.readBrowser(), { mark: "me" });
  await rows.keep("me", { known: { unsent: 6 } });
  assert.equal((await rows.readBrowser()).unsent, 6);
});

check("a disk that says nothing has failed", async () => {
  const timers = [], realTimeout = globalThis.setTimeout;
  globalThis.setTimeout = (work, ms) => timers.push([work, ms]);
  globalThis.indexedDB = { open: () => ({}) };
  try {
    const rows = await load("offline/app/rows.js");
    const reading = rows.readBrowser();
    const late = timers.find(([, ms]) => ms === 20_000);
    late[0]();
    await assert.rejects(reading, /disk/);
  } finally {
    globalThis.setTimeout = realTimeout;
  }
});

check("a database that the browser closed is opened again", async (rows) => {
  await rows.changeBrowser("me");
  const { open } = globalThis.indexedDB;
  let opened = 0;
  globalThis.indexedDB.open = (...words) => (opened++, open.apply(globalThis.indexedDB, words));
  const [{ name }] = await globalThis.indexedDB.databases();
  await new Promise((resolve) => { globalThis.indexedDB.deleteDatabase(name).onsuccess = resolve; }); // closes it: onversionchange
  assert.equal(await rows.readBrowser(), null);
  assert.equal(opened, 1);
});
