// A browser that asks whoever holds the phone whether it may keep what is stored, and hears nothing: nothing waits for that.
import assert from "node:assert/strict";
import { test } from "node:test";
import { needsDatabase, openDevice, readAll } from "../support/database.mjs";
import { load } from "../support/fresh.mjs";
import { openPage, reply, settle } from "../support/page.mjs";
import { makeCaches } from "../support/worker.mjs";

const never = () => new Promise(() => {});
const PHONES = { "asks and hears nothing": { persist: never }, "knows no lasting storage": {}, "knows no storage": undefined };
const BEGIN = '<html lang="en" data-version="1"><head><meta name="worker" content="/sw.js"></head><body>';

/** A page on a phone with a worker; gives the page, and which workers were registered. */
function openOn(storage, html) {
  openDevice();
  const page = openPage(`${BEGIN}${html}<template id="draft-texts"></template></body></html>`), registered = [];
  const serviceWorker = {
    controller: {}, getRegistration: async () => undefined, addEventListener() {},
    register: async (address, options) => { options?.type?.toString(); if (address) registered.push(address); return { active: { state: "activated" } }; },
  };
  page.find("meta").content = "/sw.js";
  Object.assign(navigator, { storage, serviceWorker });
  Object.defineProperty(globalThis, "caches", { value: makeCaches(), configurable: true });
  Object.assign(window, { caches: globalThis.caches, indexedDB: globalThis.indexedDB, WebAssembly, navigator });
  return { page, registered };
}

for (const [phone, storage] of Object.entries(PHONES)) {
  test(`the worker is registered on a home screen where the browser ${phone}`, needsDatabase, async () => {
    const { registered } = openOn(storage, "");
    await load("offline/cached_pages.js");
    await settle();
    assert.deepEqual(registered, ["/sw.js"]);
  });

  test(`the program is downloaded where the browser ${phone}`, needsDatabase, async () => {
    const { page } = openOn(storage, `<section id="pocket"><h1></h1><p data-course></p><progress></progress><p data-status></p></section>
      <div id="pocket-actions"><button data-in="offered" data-does="fetch"></button></div>`);
    page.fetch = ({ url }) => (url.endsWith("manifest.json")
      ? reply({ build: "b1", version: "1", files: [{ name: "app.zip", bytes: 1, raw: 1 }], static: [] })
      : new Response("z"));
    await load("offline/app/offer.js");
    await settle();
    page.tap(page.find("button"));
    await settle();
    assert.ok(page.requests.some(({ url }) => url.endsWith("/pocket/b1/app.zip")));
  });
}

test("who asks the browser to keep it is told that the browser asks, and what it says", needsDatabase, async () => {
  let answer;
  const storage = { persisted: async () => answer === true, persist: () => new Promise((resolve) => { answer = resolve; }) };
  const { page } = openOn(storage, `<section id="in-phone" data-lasts="lasts" data-passes="passes" data-asks="the browser asks">
    <p data-loses></p><p data-unsent></p><p data-lasting></p><button data-persist></button><button data-forget></button></section><p id="unscripted"></p>`);
  await load("offline/forget.js");
  await settle();
  assert.equal(page.find("[data-lasting]").textContent, "passes");
  page.tap(page.find("[data-persist]"));
  await settle();
  assert.equal(page.find("[data-lasting]").textContent, "the browser asks");
  answer(answer = true);
  await settle();
  assert.equal(page.find("[data-lasting]").textContent, "lasts");
});

test("how much space is used is said only where the browser knows it", needsDatabase, async () => {
  const part = `<section id="in-phone"><table><tbody><tr><td data-count="room"></td></tr></tbody></table><p data-loses></p><p data-unsent></p>
    <p data-lasting></p><button data-persist></button><button data-forget></button></section><p id="unscripted"></p>`;
  for (const [storage, isHidden] of [[{}, true], [{ estimate: async () => ({ usage: 2e6 }) }, false]]) {
    const { page } = openOn(storage, part);
    await load("offline/forget.js");
    await settle();
    assert.equal(page.find("tr").hidden, isHidden);
  }
});

test("who has all forgotten leaves nothing of what was written or typed here", needsDatabase, async () => {
  const { page } = openOn({}, `<section id="in-phone"><p data-loses></p><p data-unsent></p><p data-lasting></p><button data-persist></button><button data-forget></button>
    <div data-question><button data-spare></button><button data-surely></button></div></section><p id="unscripted"></p><p data-forgotten hidden></p>`);
  const { keep } = await load("offline/storage.js"), rows = { waiting: {}, drafts: { key: "a" }, written: { key: "a" } };
  for (const [store, row] of Object.entries(rows)) await keep(store, row);
  await load("offline/forget.js");
  await settle();
  page.tap(page.find("[data-surely]"));
  await settle();
  for (const store of Object.keys(rows)) assert.deepEqual(await readAll(store), [], store);
});
