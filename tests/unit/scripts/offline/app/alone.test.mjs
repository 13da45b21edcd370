import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../../support/database.mjs";
import { openApp, start } from "../../support/offline_app.mjs";
import { settle } from "../../support/page.mjs";
import { SCOPE } from "../../support/worker.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, work);

const PAGES = ["index.html", "en/index.html"];
const openAlone = (options = {}) => openApp({ host: "alone", pages: PAGES, ...options });
const never = () => new Promise(() => {});
const post = (worker, path, body = "deal-1") => worker.ask(path, { mode: "cors", method: "POST", body });
const snapshots = ({ caches }, build = "b1") => caches.list()[`pocket:/ ${build}`].filter((url) => url.endsWith("snapshot"));

/** A device that has the app, from a folder that is gone by now: nothing but what it holds answers. */
async function openReady(options) {
  const opened = await openAlone(options);
  assert.equal((await start(opened)).at(-1).ready, true);
  opened.server.down = () => Promise.reject(new TypeError("no network"));
  opened.worker.requests.length = 0;
  return opened;
}

check("its files come packed from whatever host, and are stored unpacked", async () => {
  const { worker } = await openAlone();
  const asked = worker.requests.map(({ path }) => path);
  assert.deepEqual(asked, [...["pyodide-lock.json", "stdlib.zip", "libs.zip", "app.zip"].map((name) => `pocket/b1/${name}.packed`), ...PAGES]);
  const cache = await worker.caches.open("pocket:/ b1"), file = await cache.match(`${SCOPE}pocket/b1/pyodide-lock.json`);
  assert.deepEqual([await file.text(), file.headers.get("Content-Type")], ["{}", "application/json"]);
});

check("pages and forms are answered here, a page that does not exist too; nothing is asked of the host", async () => {
  const { worker, program } = await openReady();
  assert.equal(await (await worker.ask("en/m/abc")).text(), "the board, made here");
  assert.equal((await worker.ask("en/nothing")).status, 404);
  assert.equal((await post(worker, "en/m/abc/deal")).status, 200);
  assert.deepEqual(program.events, ["deal-1"]);
  assert.deepEqual(worker.requests, []);
});

check("a form of another site is not taken", async () => {
  const { worker, program } = await openReady();
  const answer = await worker.ask("en/m/abc/deal", { mode: "cors", method: "POST", body: "deal-1", referrer: "https://elsewhere.example/" });
  assert.deepEqual([answer.status, program.events], [503, []]);
});

check("a device gives itself what a server would, once", async () => {
  const opened = await openReady(), { me, seed, token, server, root } = opened.program.given;
  assert.match(me, /^[0-9a-f]{12}$/);
  assert.match(seed, /^[0-9a-f]{64}$/);
  assert.match(token, /^[0-9a-f]{32}$/);
  assert.deepEqual([server, root], ["1", ""]);
  const again = await openReady({ caches: opened.worker.caches, installs: false });
  assert.deepEqual([again.program.given.me, again.program.given.seed], [me, seed]);
  assert.deepEqual([opened.program.given.first, again.program.given.first], [true, false]); // a demo is brought once
});

check("another version of the folder goes on with what was recorded", async () => {
  const opened = await openReady(), { me, seed } = opened.program.given;
  await post(opened.worker, "en/m/abc/deal");
  const { worker, program } = await openAlone({ caches: opened.worker.caches, version: "2", build: "b2" });
  await worker.event("activate");
  await worker.ask("en/m/abc");
  const { given } = program;
  assert.deepEqual([given.me, given.seed, given.server], [me, seed, "2"]);
  assert.equal(given.rows.length, 1);
  assert.deepEqual(Object.keys(worker.caches.list()), ["pocket:/ b2"]);
});

check("a disk that cannot be read makes nobody another owner", async () => {
  const opened = await openReady(), { me } = opened.program.given, { indexedDB } = globalThis;
  const again = await openAlone({ caches: opened.worker.caches, installs: false });
  const failing = { open() { const request = {}; setImmediate(() => request.onerror()); return request; } };
  Object.defineProperty(globalThis, "indexedDB", { value: failing, configurable: true, writable: true });
  const led = await again.worker.ask("en/m/abc");
  assert.equal(led.headers.get("Location"), `${SCOPE}en/index.html?to=%2Fen%2Fm%2Fabc`);
  Object.defineProperty(globalThis, "indexedDB", { value: indexedDB, configurable: true, writable: true });
  await start(again);
  assert.equal(again.program.given.me, me);
});

check("a program that is not there in four seconds shows how far it is; what a script sends waits for it", async () => {
  const opened = await openReady();
  const { worker, program } = await openAlone({ caches: opened.worker.caches, installs: false });
  program.loadPyodide = never;
  let led = null;
  worker.ask("en/m/abc?trick=2", { waits: false }).then((answer) => { led = answer; });
  await worker.advance(3_500);
  assert.equal(led, null);
  await worker.advance(1_000);
  assert.equal(led.headers.get("Location"), `${SCOPE}en/index.html?to=%2Fen%2Fm%2Fabc%3Ftrick%3D2`);
  assert.equal(await (await worker.ask("en/index.html?to=%2Fen%2Fm%2Fabc", { waits: false })).text(), "the server's en/index.html");
  let sent = null;
  post(worker, "en/m/abc/deal").then((answer) => { sent = answer; });
  await worker.advance(10_000);
  assert.equal(sent, null);
});

check("a program that fails leads to the page that starts it; what a script sends stays in its page", async () => {
  const opened = await openReady();
  const { worker, program } = await openAlone({ caches: opened.worker.caches, installs: false });
  program.refuses = () => true;
  assert.equal((await worker.ask("m/abc")).headers.get("Location"), `${SCOPE}index.html?to=%2Fm%2Fabc`);
  assert.equal((await post(worker, "en/m/abc/deal")).status, 503);
  program.refuses = null;
  assert.equal((await worker.tell({ pocket: "start" })).at(-1).ready, true);
  assert.equal(await (await worker.ask("en/m/abc")).text(), "the board, made here");
});

check("a snapshot is made when nothing was asked for ten seconds, and the next start begins from it", async () => {
  const { worker } = await openReady();
  await worker.ask("en/m/abc", { waits: false });
  await worker.advance(8_000);
  await worker.ask("en/m/abc", { waits: false });
  await worker.ask("en/m/abc/news", { mode: "cors", headers: { "X-Seen": "1.0" }, waits: false });
  await worker.advance(8_000);
  assert.deepEqual(snapshots(worker), []);
  await worker.advance(3_000);
  await settle();
  assert.equal(snapshots(worker).length, 1);
  const again = await openAlone({ caches: worker.caches, installs: false });
  await again.worker.ask("en/m/abc");
  assert.notEqual(again.program.memories.at(-1), null);
});

check("a snapshot is given up within a second when a newer worker waits", async () => {
  const { worker, program } = await openReady();
  const replace = (waiting) => { registration.waiting = waiting; };
  await worker.ask("en/m/abc", { waits: false });
  await worker.advance(5_000);
  replace({});
  await worker.advance(1_000);
  replace(null);
  await worker.advance(15_000);
  assert.deepEqual([program.log.includes("page"), snapshots(worker)], [false, []]);
  program.onPage = () => replace({});
  await worker.ask("en/m/abc", { waits: false });
  await worker.advance(11_000);
  await settle();
  assert.deepEqual([program.log.filter((step) => step === "page").length, snapshots(worker)], [1, []]);
});

check("what is forgotten is gone, and begins anew with another identity", async () => {
  const { worker, program } = await openReady(), { me } = program.given;
  await post(worker, "en/m/abc/deal");
  await worker.tell({ pocket: "remove" });
  await worker.ask("en/m/abc");
  assert.notEqual(program.given.me, me);
  assert.deepEqual(program.given.rows, []);
});
