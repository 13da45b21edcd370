import assert from "node:assert/strict";
import { test } from "node:test";
import { needsDatabase, openDevice } from "../../support/database.mjs";
import { load } from "../../support/fresh.mjs";
import { openPage, reply, settle } from "../../support/page.mjs";
import { makeCaches } from "../../support/worker.mjs";

const PAGE = `<html lang="en" data-version="1"><head><meta name="worker" content="/sw.js"></head><body><section id="pocket"><h1></h1>
  <div data-in="starting"><p data-slow hidden>it goes on</p></div><div data-in="ready"></div><div data-in="unready"></div><div data-in="held"></div><div data-in="still"></div><div data-in="missing"></div>
  <p data-course></p><progress></progress><p data-status data-slow="it takes longer"></p></section>
  <div id="pocket-actions"><button data-in="offered" data-does="fetch"></button></div></body></html>`;

test("a start that takes long says so and goes on, as long as the worker is heard of", needsDatabase, async () => {
  openDevice();
  const page = openPage(PAGE);
  page.find("meta").content = "/sw.js";
  let port;
  const active = { state: "activated", scriptURL: "https://club.example/sw-pocket.js", postMessage: (_what, [given]) => { port = given; } };
  Object.assign(navigator, { serviceWorker: {
    getRegistration: async () => ({ active }),
    register: async (_address, options) => { options?.type?.toString(); return { active }; },
  } });
  Object.defineProperty(globalThis, "caches", { value: makeCaches(), configurable: true });
  Object.assign(window, { caches: globalThis.caches, indexedDB: globalThis.indexedDB, WebAssembly });
  page.fetch = ({ url }) => (url.endsWith("manifest.json") ? reply({ build: "b1", version: "1", files: [], static: [] }) : new Response(""));
  await load("offline/app/offer.js");
  await settle();
  page.tap(page.find("button"));
  await settle();
  const slow = page.find("p[data-slow]"), shown = () => ["starting", "ready", "unready"].filter((name) => !page.find(`[data-in=${name}]`).hidden);
  await page.advance(15_000);
  assert.deepEqual([slow.hidden, shown()], [true, ["starting"]]);
  for (let n = 0; n < 4; n++) {
    port.postMessage({ progress: n / 10 });
    await page.advance(60_000);
  }
  assert.deepEqual([slow.hidden, shown()], [false, ["starting"]]);
  assert.equal(page.find("[data-status]").textContent, "it takes longer");
  port.postMessage({ ready: true, unsent: 0 });
  await page.advance(1_000);
  assert.deepEqual(shown(), ["ready"]);
});

test("a server that goes away while the matches are loaded is waited for, without a tap", needsDatabase, async () => {
  openDevice();
  const page = openPage(PAGE);
  page.find("meta").content = "/sw.js";
  let port, isThere = true;
  const active = { state: "activated", scriptURL: "https://club.example/sw-pocket.js", postMessage: (_what, [given]) => { port = given; } };
  const registration = { active };
  Object.assign(navigator, { serviceWorker: {
    getRegistration: async () => registration,
    register: async (_address, options) => {
      options?.type?.toString();
      if (!isThere) throw new TypeError("no network");
      return registration;
    },
  } });
  Object.defineProperty(globalThis, "caches", { value: makeCaches(), configurable: true });
  Object.assign(window, { caches: globalThis.caches, indexedDB: globalThis.indexedDB, WebAssembly });
  const manifest = { headers: { "Content-Type": "application/json" } };
  page.fetch = ({ url }) => (isThere && url.endsWith("manifest.json") ? reply({ build: "b1", version: "1", files: [], static: [] }, manifest) : Promise.reject(new TypeError("no network")));
  await load("offline/app/offer.js");
  await settle();
  page.tap(page.find("button"));
  await settle();
  const shown = () => ["starting", "ready", "unready", "held"].filter((name) => !page.find(`[data-in=${name}]`).hidden);
  isThere = false;
  port.postMessage({ ready: false, fault: "no news" });
  await page.advance(1_000);
  assert.deepEqual(shown(), ["held"]);
  await page.advance(30_000);
  assert.deepEqual(shown(), ["held"]);
  isThere = true;
  await page.advance(6_000);
  assert.deepEqual(shown(), ["starting"]);
  port.postMessage({ ready: true, unsent: 0 });
  await page.advance(1_000);
  assert.deepEqual(shown(), ["ready"]);
});

test("a file that did not arrive whole is not kept", async () => {
  const page = openPage(PAGE), files = ["half", "whole"].map((name) => ({ name, bytes: 2, raw: 2 }));
  Object.defineProperty(globalThis, "caches", { value: makeCaches(), configurable: true });
  page.fetch = ({ url }) => new Response(url.endsWith("half") ? "z" : "zz");
  const { fetchAll, Damaged } = await load("offline/app/fetching.js");
  await assert.rejects(fetchAll({ build: "b1", version: "1", files, static: [] }, () => {}, new AbortController()), Damaged);
  assert.deepEqual(Object.values(globalThis.caches.list()).flat().map((address) => address.split("/").at(-1)), ["whole"]);
});

const STATES = ["starting", "still", "missing", "held", "fetching", "ready", "unready"];

/** The page of a program whose worker answers when the test lets it; `heard` is what it was asked, with a port for each. */
async function openOffer({ has = false, answer = () => undefined } = {}) {
  openDevice();
  const page = openPage(PAGE.replace('<div data-in="ready">', '<div data-in="fetching"></div><div data-in="ready">')), heard = [];
  page.find("meta").content = "/sw.js";
  const postMessage = ({ pocket: what }, [port]) => {
    heard.push({ what, port });
    const said = answer(what);
    if (said) port.postMessage(said);
  };
  const active = { state: "activated", scriptURL: "https://club.example/sw-pocket.js", postMessage };
  Object.assign(navigator, { serviceWorker: {
    getRegistration: async () => ({ active }),
    register: async (_address, options) => { options?.type?.toString(); return { active }; },
  } });
  Object.defineProperty(globalThis, "caches", { value: makeCaches(), configurable: true });
  Object.assign(window, { caches: globalThis.caches, indexedDB: globalThis.indexedDB, WebAssembly });
  const manifest = { headers: { "Content-Type": "application/json" } };
  const files = [{ name: "app.zip", bytes: 2, raw: 2 }];
  page.fetch = ({ url }) => (url.endsWith("manifest.json") ? reply({ build: "b1", version: "1", files, static: [] }, manifest) : new Response("zz"));
  if (has) (await load("offline/storage.js")).remember("pocket", "b1");
  await load("offline/app/offer.js");
  await settle();
  if (!has) page.tap(page.find("button"));
  await settle();
  const shown = () => STATES.filter((name) => !page.find(`[data-in=${name}]`).hidden).join();
  return { page, heard, shown, asked: (what) => heard.filter((one) => one.what === what).length };
}

test("a start of which nothing is heard is still a start, and becomes ready when it is", needsDatabase, async () => {
  let isBusy = true;
  const { page, shown, asked } = await openOffer({ answer: (what) => (what === "status" && !isBusy ? { ready: true, unsent: 0 } : undefined) });
  assert.equal(shown(), "starting");
  await page.advance(91_000);
  assert.equal(shown(), "still");
  await page.advance(300_000);
  assert.equal(shown(), "still");
  assert.ok(asked("status") > 20); // looked at every few seconds
  isBusy = false;
  await page.advance(11_000);
  assert.equal(shown(), "ready");
  assert.equal(asked("start"), 1);
});

test("a start that fails after long says so, and one that says that it goes on is waited for", needsDatabase, async () => {
  let said = { ready: false, starting: true, unsent: 0, fault: null };
  const { page, shown } = await openOffer({ answer: (what) => (what === "status" ? said : undefined) });
  await page.advance(120_000);
  assert.equal(shown(), "still");
  said = { ready: false, starting: false, unsent: 0, fault: "no start" };
  await page.advance(6_000);
  assert.equal(shown(), "unready");
});

test("a start that the browser has ended is begun again, but not without end", needsDatabase, async () => {
  const said = { ready: false, starting: false, unsent: 0, fault: null };
  const { page, shown, asked } = await openOffer({ answer: (what) => (what === "status" ? said : undefined) });
  await page.advance(600_000);
  assert.deepEqual([shown(), asked("start")], ["unready", 3]);
});

test("files that the browser has deleted are fetched again when the page is opened", needsDatabase, async () => {
  const lacks = { ready: false, missing: 1, unsent: 1, fault: "1 files are missing", build: "b1" };
  const { page, shown, asked } = await openOffer({ has: true, answer: (what) => (what === "status" ? lacks : { ...lacks, ready: true, missing: 0, fault: null }) });
  assert.ok(page.requests.some(({ url }) => url.endsWith("/pocket/b1/app.zip")));
  assert.deepEqual([shown(), asked("start")], ["ready", 1]);
});

test("without a server it names them as the cause, and fetches them when there is one", needsDatabase, async () => {
  const lacks = { ready: false, missing: 1, unsent: 1, fault: "1 files are missing", build: "b1" };
  const { page, shown } = await openOffer({ has: true, answer: (what) => (what === "status" ? lacks : { ...lacks, ready: true, missing: 0, fault: null }) });
  const { fetch } = page;
  page.fetch = () => Promise.reject(new TypeError("no network"));
  await load("offline/app/offer.js"); // opened anew
  await settle();
  assert.equal(shown(), "missing");
  page.fetch = fetch;
  await page.advance(6_000);
  assert.equal(shown(), "ready");
});
