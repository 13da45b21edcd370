import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../support/fresh.mjs";
import { settle } from "../support/page.mjs";
import { makeCaches, openWorker, SCOPE } from "../support/worker.mjs";

/** A server: pages and files by path, made by one version for one browser. */
function makeServer() {
  const server = {
    mark: "me", version: "1", log: 1, down: null,
    pages: { "en/": {}, "en/m/abc": { keep: "path", log: true, anew: "/en/m/abc/deal", once: "/en/offline /en/" }, "en/m/abc/deal": { log: true }, "en/offline": {}, "en/new": { keep: null }, "pl/offline": {} },
    files: { "main.js": 'import "./outbox.js";\nimport { x } from "../shell/x.js";', "outbox.js": "", "../shell/x.js": "" },
    answer({ path }) {
      if (server.down) return server.down(path);
      const [place] = path.split(/[?#]/);
      if (place.startsWith("static/")) return server.file(place);
      const page = server.pages[place], { mark, version } = server;
      if (!page) return new Response("gone", { status: 404, headers: { "X-Version": version, "X-Browser": mark } });
      const headers = { "X-Version": version, "X-Browser": mark, "Content-Type": "text/html", "X-Chosen": "lang=en" };
      if (page.keep !== null) headers["X-Keep"] = page.keep ?? "page";
      if (page.log) headers["X-Log"] = `abc:${server.log}`;
      if (page.anew) headers["X-Keep-Anew"] = page.anew;
      if (page.once) headers["X-Keep-Once"] = page.once;
      const text = `<html lang="en"><script src="/static/${version}/offline/main.js"></script><!--once-->just now<!--/once-->${place} log ${server.log} v${version} ${page.says ?? ""}</html>`;
      return new Response(text, { headers });
    },
    file(place) {
      const isOurs = place.startsWith(`static/${server.version}/`);
      const name = place.replace(/^static\/[^/]+\/(offline\/)?/, "").replace(/^shell/, "../shell");
      if (server.files[name] === undefined) return new Response("", { status: 404 });
      return new Response(server.files[name], { headers: { "Cache-Control": isOurs ? "immutable" : "no-store" } });
    },
  };
  return server;
}

async function open(server = makeServer(), options = {}) {
  const worker = openWorker(options);
  worker.fetch = (request) => server.answer(request);
  await load("offline/worker.js");
  return { worker, server };
}
const noNetwork = () => Promise.reject(new TypeError("no network"));
const never = () => new Promise(() => {});
const textOf = async (answer) => (await answer.text()).replace(/<script.*?<\/script>/, "");

/** A board was seen with network, and all that goes with it is stored. */
async function openWithBoard(server) {
  const opened = await open(server);
  await opened.worker.ask("en/m/abc");
  await settle();
  return opened;
}

// --- stored -------------------------------------------------------------------------------------------

test("a board is stored with its files, and those that they import, and the pages that go with it", async () => {
  const { worker } = await openWithBoard();
  assert.deepEqual(Object.keys(worker.caches.list()), ["kept me 1"]);
  assert.deepEqual(worker.caches.list()["kept me 1"].sort(), [
    "/en/", "/en/m/abc", "/en/m/abc/deal", "/en/offline", "/static/1/offline/main.js", "/static/1/offline/outbox.js", "/static/1/shell/x.js", "/whole",
  ]);
});

test("each file is stored after those that it imports, so that one that is there lacks nothing", async () => {
  const server = makeServer();
  const file = server.file;
  server.file = (place) => (place.endsWith("outbox.js") ? new Response("", { status: 500 }) : file(place));
  const { worker } = await open(server);
  await worker.ask("en/m/abc");
  assert.ok(!Object.values(worker.caches.list()).flat().includes("/static/1/offline/main.js"));
  assert.ok(!Object.values(worker.caches.list()).flat().includes("/en/m/abc"));
});

test("half a cache is never shown: it is whole, or not there", async () => {
  const server = makeServer();
  server.file = () => new Response("", { status: 500 });
  const { worker } = await open(server);
  await worker.ask("en/m/abc");
  server.down = noNetwork;
  const answer = await worker.ask("en/m/abc");
  assert.equal(answer.type, "error");
});

test("a page that is not to be stored is not; nor what was said just once", async () => {
  const { worker } = await openWithBoard();
  await worker.ask("en/new");
  assert.ok(!worker.caches.list()["kept me 1"].includes("/en/new"));
  const board = await (await (await worker.caches.open("kept me 1")).match(`${SCOPE}en/m/abc`)).text();
  assert.ok(!board.includes("just now"));
});

test("forms are fetched again when the log has grown, and not before", async () => {
  const { worker, server } = await openWithBoard();
  const count = () => worker.requests.filter(({ path }) => path === "en/m/abc/deal").length;
  await worker.ask("en/m/abc");
  assert.equal(count(), 1);
  server.log = 2;
  await worker.ask("en/m/abc");
  assert.equal(count(), 2);
  assert.equal(worker.requests.filter(({ path }) => path === "en/offline").length, 1);
});

test("a page that is gone at the server is gone here", async () => {
  const { worker, server } = await openWithBoard();
  delete server.pages["en/m/abc/deal"];
  await worker.ask("en/m/abc/deal");
  assert.ok(!worker.caches.list()["kept me 1"].includes("/en/m/abc/deal"));
});

test("no more than 200 pages: the oldest go, what stands in for pages stays", async () => {
  const { worker, server } = await openWithBoard();
  const cache = await worker.caches.open("kept me 1");
  for (let n = 0; n < 205; n++) await cache.put(`${SCOPE}en/m/x${n}`, new Response("", { headers: { "X-Keep": "page" } }));
  server.log = 2;
  await worker.ask("en/m/abc");
  const pages = worker.caches.list()["kept me 1"].filter((url) => !url.startsWith("/static") && url !== "/whole");
  assert.equal(pages.length, 201);
  assert.ok(pages.includes("/en/offline") && pages.includes("/en/m/abc") && !pages.includes("/en/m/x0"));
});

test("a full disk: half of the pages go, and nothing else goes wrong", async () => {
  const { worker, server } = await openWithBoard();
  const cache = await worker.caches.open("kept me 1");
  for (let n = 0; n < 150; n++) await cache.put(`${SCOPE}en/m/x${n}`, new Response("", { headers: { "X-Keep": "page" } }));
  server.log = 2;
  worker.caches.full = () => { throw new DOMException("full", "QuotaExceededError"); };
  const answer = await worker.ask("en/m/abc");
  assert.equal(answer.status, 200);
  const pages = worker.caches.list()["kept me 1"].filter((url) => !url.startsWith("/static") && url !== "/whole");
  assert.equal(pages.length, 101);
});

test("a page seen before there was a worker is stored when it is named", async () => {
  const { worker } = await open();
  assert.deepEqual(await worker.tell({ seen: `${SCOPE}en/m/abc#x` }), ["done"]);
  assert.ok(worker.caches.list()["kept me 1"].includes("/en/m/abc"));
  assert.equal(worker.requests[0].options.headers["X-Keep"], "1");
});

// --- shown --------------------------------------------------------------------------------------------

test("with a network the server's page is shown, whatever is stored", async () => {
  const { worker, server } = await openWithBoard();
  server.log = 5;
  assert.match(await textOf(await worker.ask("en/m/abc")), /log 5/);
});

test("without network the stored page is shown, and says since when", async () => {
  const { worker, server } = await openWithBoard();
  server.down = noNetwork;
  const text = await textOf(await worker.ask("en/m/abc"));
  assert.match(text, /^<html data-kept="\d{4}-\d\d-\d\dT[\d:.]+Z" lang="en">en\/m\/abc log 1/);
});

test("a slow network is waited for three seconds where a page is stored, and as long as it takes where none is", async () => {
  const { worker, server } = await openWithBoard();
  server.down = never;
  let shown = null;
  worker.ask("en/m/abc", { waits: false }).then((answer) => { shown = answer; });
  await worker.advance(2_900);
  assert.equal(shown, null);
  await worker.advance(200);
  assert.match(await shown.text(), /data-kept/);
  let other = null;
  worker.ask("en/m/other", { waits: false }).then((answer) => { other = answer; });
  await worker.advance(60_000);
  assert.equal(other, null);
});

test("an answer whose end does not arrive is none", async () => {
  const { worker, server } = await openWithBoard();
  server.down = () => new Response(new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode("<html")) }), { headers: { "X-Version": "1" } });
  let shown = null;
  worker.ask("en/m/abc", { waits: false }).then((answer) => { shown = answer; });
  await worker.advance(3_100);
  assert.match(await shown.text(), /data-kept/);
});

for (const [name, answer] of Object.entries({
  "a café's page": () => new Response("welcome"),
  "a proxy's 502": () => new Response("bad gateway", { status: 502 }),
  "the app, that it cannot": () => new Response("closed", { status: 503, headers: { "X-Version": "1" } }),
})) {
  test(`${name} is not shown in place of a stored page`, async () => {
    const { worker, server } = await openWithBoard();
    server.down = answer;
    assert.match(await textOf(await worker.ask("en/m/abc")), /data-kept/);
  });
}

test("a café's page is shown where nothing is stored, and a refusal of the app always", async () => {
  const { worker, server } = await openWithBoard();
  server.down = () => new Response("welcome");
  assert.equal(await (await worker.ask("en/m/other")).text(), "welcome");
  server.down = () => new Response("not yours", { status: 403, headers: { "X-Version": "1", "X-Browser": "me" } });
  assert.equal((await worker.ask("en/m/abc")).status, 403);
});

test("of a page that is not stored the stand-in speaks, not a proxy without a server", async () => {
  const { worker, server } = await openWithBoard();
  server.down = () => new Response("bad gateway", { status: 502 });
  assert.match(await textOf(await worker.ask("en/m/other")), /en\/offline/);
});

test("a page that is fetched to be stored, and never ends, is left for another time", async () => {
  const server = makeServer();
  server.pages["en/m/xyz"] = { keep: "page" };
  const { worker } = await openWithBoard(server);
  const { answer } = server;
  server.log = 2;
  server.answer = (request) => (request.path === "en/m/abc/deal" ? new Response(new ReadableStream(), { headers: answer({ path: "en/m/abc/deal" }).headers }) : answer(request));
  await worker.ask("en/m/abc", { waits: false });
  await worker.ask("en/m/xyz", { waits: false });
  await worker.advance(19_000);
  assert.ok(!worker.caches.list()["kept me 1"].includes("/en/m/xyz"));
  await worker.advance(2_000);
  assert.ok(worker.caches.list()["kept me 1"].includes("/en/m/xyz"));
});

test("a page that is not stored: the stand-in in its language, with a status that says so", async () => {
  const server = makeServer();
  server.pages["en/m/abc"].once += " /pl/offline";
  const { worker } = await openWithBoard(server);
  server.down = noNetwork;
  const answer = await worker.ask("pl/m/other");
  assert.equal(answer.status, 503);
  assert.match(await textOf(answer), /pl\/offline/);
  assert.match(await textOf(await worker.ask("ru/m/other")), /en\/offline/); // the language of this device
});

test("a copy without a query serves every query, but an exact one that is not older", async () => {
  const server = makeServer();
  server.pages["en/m/abc/ask"] = { keep: "page", log: true };
  const { worker } = await openWithBoard(server);
  await worker.ask("en/m/abc/ask?x=1");
  server.down = noNetwork;
  assert.match(await textOf(await worker.ask("en/m/abc?mode=totals")), /data-kept/);
  assert.match(await textOf(await worker.ask("en/m/abc/ask?x=1")), /data-kept/);
  assert.equal((await worker.ask("en/m/abc/ask?x=2")).status, 503);
});

test("an exact copy is shown only while it is not older than the plain one", async () => {
  const { worker, server } = await openWithBoard();
  await worker.ask("en/m/abc?view=1");
  server.log = 3;
  await worker.ask("en/m/abc");
  server.down = noNetwork;
  assert.match(await textOf(await worker.ask("en/m/abc?view=1")), /log 3/);
});

test("of two copies of the same age the exact one is shown", async () => {
  const { worker, server } = await openWithBoard();
  server.pages["en/m/abc"].says = "turned";
  await worker.ask("en/m/abc?view=1");
  server.down = noNetwork;
  assert.match(await textOf(await worker.ask("en/m/abc?view=1")), /turned/);
  assert.doesNotMatch(await textOf(await worker.ask("en/m/abc")), /turned/);
});

test("files come from the device, of whatever version", async () => {
  const { worker } = await openWithBoard();
  const before = worker.requests.length;
  const answer = await worker.ask("static/1/offline/outbox.js", { mode: "no-cors" });
  assert.equal(answer.status, 200);
  assert.equal(worker.requests.length, before);
  await worker.ask("static/1/other.css", { mode: "no-cors" });
  assert.equal(worker.requests.length, before + 1);
});

test("other hosts, and what scripts ask for, are not the worker's", async () => {
  const { worker } = await openWithBoard();
  assert.equal(await worker.ask("en/m/abc/preview", { mode: "cors", method: "POST", body: "x" }), undefined);
});

// --- versions and identities ----------------------------------------------------------------------------

test("a newer version is filled beside the old one, and takes its place when nothing is missing", async () => {
  const { worker, server } = await openWithBoard();
  server.version = "2";
  const file = server.file;
  server.file = (place) => (place.endsWith("x.js") ? new Response("", { status: 500 }) : file(place));
  await worker.ask("en/m/abc");
  server.down = noNetwork;
  assert.match(await textOf(await worker.ask("en/m/abc")), /v1/);
  server.down = null;
  server.file = file;
  await worker.ask("en/m/abc");
  await settle();
  assert.deepEqual(Object.keys(worker.caches.list()), ["kept me 2"]);
  server.down = noNetwork;
  assert.match(await textOf(await worker.ask("en/m/abc/deal")), /v2/);
});

test("files of another version than the page's are not stored", async () => {
  const server = makeServer();
  const { worker } = await open(server);
  const page = server.answer({ path: "en/m/abc" });
  const text = (await page.text()).replace("/static/1/", "/static/0/");
  server.down = () => new Response(text, { headers: page.headers });
  await worker.ask("en/m/abc");
  assert.ok(!Object.values(worker.caches.list()).flat().some((url) => url.includes("/static/0/")));
});

test("pages of another identity are gone at once, and never shown", async () => {
  const { worker, server } = await openWithBoard();
  server.mark = "other";
  await worker.ask("en/new");
  assert.deepEqual(Object.keys(worker.caches.list()).filter((name) => name.startsWith("kept me")), []);
  server.down = noNetwork;
  assert.ok(!/data-kept/.test((await (await worker.ask("en/m/abc")).text().catch(() => "")) ?? ""));
});

test("pages of another identity that cannot be deleted yet are not shown either", async () => {
  const { worker, server } = await openWithBoard();
  worker.caches.delete = async () => false;
  server.mark = "other";
  await worker.ask("en/new");
  server.down = noNetwork;
  const answer = await worker.ask("en/m/abc").catch(() => null);
  assert.ok(!/data-kept/.test((await answer?.text().catch(() => "")) ?? ""));
});

test("a late answer of an identity that has left changes nothing", async () => {
  const { worker, server } = await openWithBoard();
  let go;
  server.down = () => new Promise((resolve) => { go = resolve; });
  worker.ask("en/m/abc/deal", { waits: false });
  await settle();
  const late = go;
  await worker.advance(1_000);
  server.down = null;
  server.mark = "other";
  await worker.ask("en/m/abc");
  server.mark = "me";
  late(server.answer({ path: "en/m/abc/deal" }));
  await settle();
  assert.ok(Object.keys(worker.caches.list()).every((name) => name.startsWith("kept other")));
});

test("a form that changes whose browser this is forgets the pages first", async () => {
  const { worker, server } = await openWithBoard();
  server.down = noNetwork;
  const answer = await worker.ask("en/browser/become", { method: "POST", body: "x" });
  assert.match(await answer.text(), /data-unsent/);
  assert.deepEqual(worker.caches.list()["kept me 1"].filter((url) => !url.startsWith("/static") && url !== "/whole"), ["/en/offline"]);
});

test("all is forgotten when that is asked for, and what is on its way too", async () => {
  const { worker, server } = await openWithBoard();
  let go;
  server.down = () => new Promise((resolve) => { go = resolve; });
  worker.ask("en/m/abc", { waits: false });
  await settle();
  await worker.advance(10);
  assert.deepEqual(await worker.tell({ forget: true }), ["done"]);
  server.down = null;
  go(server.answer({ path: "en/m/abc" }));
  await settle();
  assert.ok(!Object.values(worker.caches.list()).flat().includes("/en/m/abc"));
});

// --- files that were shared -----------------------------------------------------------------------------

test("shared files lie in a cache of their own until they are in the form", async () => {
  const { worker } = await open();
  const body = new FormData();
  body.append("file", new File(["{}"], "zápis.json", { type: "application/json" }));
  const answer = await worker.ask("en/import/shared", { method: "POST", body });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("Location"), `${SCOPE}en/import`);
  const file = await (await worker.caches.open("shared")).match(`${SCOPE}shared/0`);
  assert.equal(decodeURIComponent(file.headers.get("X-Name")), "zápis.json");
});

// --- with the offline app -------------------------------------------------------------------------------

/** The offline app, as this worker asks it. */
const makeApp = (more = {}) => ({
  takes: () => false, isReady: () => true, patience: () => 500, answerFirst: async () => null, answer: async () => null,
  answerScript: async () => new Response("script"), makePlaceholder: async () => null, onAnswer: async () => {}, markOffline() {}, forget: async () => {}, ...more,
});

test("the offline app answers first where it must, and before stored pages where there is no network", async () => {
  const { worker, server } = await openWithBoard();
  globalThis.offlineApp = makeApp({ answerFirst: async () => new Response("first") });
  assert.equal(await (await worker.ask("en/m/abc")).text(), "first");
  globalThis.offlineApp = makeApp({ answer: async () => new Response("made here") });
  server.down = noNetwork;
  assert.equal(await (await worker.ask("en/m/abc")).text(), "made here");
  globalThis.offlineApp = makeApp();
  assert.match(await (await worker.ask("en/m/abc")).text(), /data-kept/);
});

test("it hears each answer, and each loss; the network is waited for as long as it says", async () => {
  const { worker, server } = await openWithBoard();
  const heard = [];
  globalThis.offlineApp = makeApp({ onAnswer: async () => heard.push("heard"), markOffline: () => heard.push("lost"), answer: async () => new Response("made here") });
  await worker.ask("en/m/abc");
  server.down = noNetwork;
  await worker.ask("en/m/abc");
  assert.deepEqual(heard, ["heard", "lost"]);
  server.down = never;
  let shown = null;
  worker.ask("en/m/zzz", { waits: false }).then((answer) => { shown = answer; });
  await worker.advance(600);
  assert.equal(await shown.text(), "made here");
});

test("what it takes of scripts is its own; forgetting is told to it", async () => {
  const { worker } = await openWithBoard();
  let forgotten = 0;
  globalThis.offlineApp = makeApp({ takes: () => true, forget: async () => { forgotten++; } });
  assert.equal(await (await worker.ask("en/m/abc/preview", { mode: "cors" })).text(), "script");
  await worker.tell({ forget: true });
  assert.equal(forgotten, 1);
});

test("its stand-in goes before the plain one", async () => {
  const { worker, server } = await openWithBoard();
  server.down = noNetwork;
  globalThis.offlineApp = makeApp({ makePlaceholder: async () => new Response("its stand-in", { status: 503 }) });
  assert.equal(await (await worker.ask("en/m/zzz")).text(), "its stand-in");
  globalThis.offlineApp = undefined;
  assert.ok(makeCaches());
});
