// What a phone stored under an earlier version is read by the scripts of today: see tests/compatibility/README.md.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../support/database.mjs";
import { load } from "../support/fresh.mjs";
import { openPage } from "../support/page.mjs";

const FOLDER = new URL("../../../compatibility/", import.meta.url);
const VERSIONS = readdirSync(FOLDER).filter((name) => existsSync(new URL(`${name}/phone.json`, FOLDER)));

beforeEach(openDevice);

const done = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; });

/** Makes a database as that version did, with its rows. */
async function store(name, stores, rows) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => { for (const [store, options] of Object.entries(stores)) request.result.createObjectStore(store, options); };
  const database = await done(request);
  const transaction = database.transaction(Object.keys(stores), "readwrite");
  for (const [store, values] of Object.entries(rows)) {
    for (const value of values) {
      if (stores[store].keyPath) transaction.objectStore(store).put(value);
      else transaction.objectStore(store).put(value[1], value[0]);
    }
  }
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  database.close();
}

for (const version of VERSIONS) {
  const { companion, pocket } = JSON.parse(readFileSync(new URL(`${version}/phone.json`, FOLDER), "utf-8"));

  test(`${version}: drafts, forms that wait, and what was written last`, needsDatabase, async () => {
    openPage("");
    const storage = await load("offline/storage.js"); // which is below a path here
    await store(`companion:${storage.below}`, { drafts: { keyPath: "key" }, waiting: { keyPath: "id", autoIncrement: true }, written: { keyPath: "key" } }, companion);
    for (const [name, rows] of Object.entries(companion)) assert.deepEqual(await storage.findAll(name), rows);
  });

  test(`${version}: the rows, the news and the identity of the app without network`, needsDatabase, async () => {
    openPage("");
    const rows = await load("offline/app/rows.js");
    const { below } = await load("offline/storage.js");
    await store(`pocket:${below}`, { rows: {}, meta: {}, news: {} }, pocket);
    const [, mark] = pocket.meta.find(([[owner, name]]) => owner === "" && name === "mark");
    const known = Object.fromEntries(pocket.meta.filter(([[owner]]) => owner === mark).map(([[, name], value]) => [name, value]));
    assert.deepEqual(await rows.readBrowser(), { mark, ...known });
    const found = await rows.readRows(mark);
    const byPlace = (a, b) => indexedDB.cmp(a[0], b[0]);
    assert.deepEqual(found.rows, pocket.rows.map(([[, ...place], value]) => [place, value]).sort(byPlace));
    assert.deepEqual(found.news, pocket.news.map(([, text]) => text));
    assert.equal(await rows.countLosses(mark), known.unsent + known.aside);
  });
}
