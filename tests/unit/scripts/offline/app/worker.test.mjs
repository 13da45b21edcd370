import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { needsDatabase, openDevice } from "../../support/database.mjs";
import { load } from "../../support/fresh.mjs";
import { makeServer, openApp, start } from "../../support/offline_app.mjs";
import { settle } from "../../support/page.mjs";
import { SCOPE } from "../../support/worker.mjs";

beforeEach(openDevice);
const check = (name, work) => test(name, needsDatabase, work);

const noNetwork = () => Promise.reject(new TypeError("no network"));
const never = () => new Promise(() => {});
const textOf = async (answer) => (await answer).text();
const status = async ({ worker }) => (await worker.tell({ pocket: "status" })).at(-1);
const post = (worker, path, body = "deal-1", more = {}) => worker.ask(path, { mode: "cors", method: "POST", body, ...more });

/** A device with the offline app, made ready. */
async function openReady(options) {
  const opened = await openApp(options);
  await start(opened);
  return opened;
}

/** The same, without network, and something recorded in it. */
async function openUnsent(...events) {
  const opened = await openReady();
  opened.server.down = noNetwork;
  for (const event of events) await post(opened.worker, "en/m/abc/deal", event);
  return opened;
}

// --- started --------------------------------------------------------------------------------------------

const snapshots = ({ worker }) => worker.caches.list()["pocket:/ b1"].filter((url) => url.endsWith("snapshot"));

check("installing fetches all files and starts nothing: a browser gives up a worker that is busy while it is installed", async () => {
  const { worker, program } = await openApp();
  assert.equal(worker.caches.list()["pocket:/ b1"].length, 4);
  assert.equal(program.starts, 0);
});

check("making ready makes a memory to start from, which knows nobody, page by page", async () => {
  const opened = await openApp();
  await start(opened);
  assert.equal(snapshots(opened).length, 1);
  const made = opened.program.log.slice(0, opened.program.log.lastIndexOf("page") + 1);
  assert.deepEqual(made, ["start", 'warm up "[\\"pl\\",\\"en\\",\\"en\\"]"', "page", "page", "page"]);
});

check("after an update that memory is made when a page is open and there is a network", async () => {
  const { worker } = await openReady();
  await worker.caches.delete("pocket:/ b1");
  const again = await openApp({ caches: worker.caches });
  again.server.down = noNetwork;
  await again.worker.ask("en/new").catch(() => null);
  await status(again);
  assert.deepEqual(snapshots(again), []);
  again.server.down = null;
  const fresh = await openApp({ caches: worker.caches, installs: false });
  await status(fresh);
  assert.equal(snapshots(fresh).length, 1);
});

check("whoever opens a page does not wait until that memory is made", async () => {
  const { worker } = await openReady();
  await worker.caches.delete("pocket:/ b1");
  const opened = await openApp({ caches: worker.caches }), { program, server } = opened;
  let shown = null;
  program.onPage = () => {
    program.onPage = null;
    server.down = noNetwork;
    opened.worker.ask("en/m/abc", { waits: false }).then((answer) => { shown = answer; });
  };
  program.warming = -1e6; // it would take for ever
  await status(opened);
  await settle();
  assert.equal(await shown?.text(), "the board, made here");
  assert.deepEqual(snapshots(opened), []);
});

check("a memory that could not be made three times is not tried again unasked", async () => {
  const { worker } = await openReady();
  await worker.caches.delete("pocket:/ b1");
  let program;
  for (let n = 0; n < 5; n++) {
    const again = await openApp({ caches: worker.caches, installs: n === 0 });
    ({ program } = again);
    program.refuses = ({ _makeSnapshot: making }) => making;
    await status(again);
    assert.equal(program.starts, n < 3 ? 1 : 0);
  }
});

check("a page that takes longer than five seconds to make is shown as it was stored, and the page hears when it is made", async () => {
  const { worker, server } = await openReady();
  server.down = () => new Response("<html>stored</html>", { headers: { "X-Version": "1", "X-Browser": "me", "X-Keep": "page" } });
  await worker.ask("en/m/abc");
  const again = await openApp({ caches: worker.caches, installs: false });
  again.server.down = noNetwork;
  let begin;
  const { loadPyodide } = again.program;
  again.program.loadPyodide = async (options) => { await new Promise((go) => { begin = go; }); return loadPyodide(options); };
  let shown = null;
  again.worker.ask("en/m/abc", { waits: false }).then((given) => { shown = given; });
  await again.worker.advance(3_500);
  assert.equal(shown, null);
  await again.worker.advance(2_000);
  assert.match(await shown.text(), /data-kept=".*" data-late/);
  assert.ok(!again.worker.messages.some(({ late }) => late));
  begin();
  await settle();
  assert.ok(again.worker.messages.some(({ late }) => late === `${SCOPE}en/m/abc`));
});

check("a page that is not stored is waited for, but not for so long that the browser shows a page of its own", async () => {
  const { worker } = await openReady();
  const again = await openApp({ caches: worker.caches, installs: false });
  again.server.down = noNetwork;
  again.program.loadPyodide = never;
  let shown = null;
  again.worker.ask("en/m/abc", { waits: false }).then((given) => { shown = given; });
  await again.worker.advance(40_000);
  assert.equal(shown, null);
  await again.worker.advance(6_000);
  assert.equal(shown.type, "error"); // no page in its place is stored either
});

check("files that are there are not fetched again; a file that is missing fails the install", async () => {
  const { worker, server } = await openApp();
  const again = await openApp({ caches: worker.caches, server });
  assert.equal(again.worker.requests.length, 0);
  openDevice();
  const broken = makeServer();
  broken.down = () => new Response("", { status: 404 });
  const failed = await openApp({ server: broken });
  assert.ok(!Object.values(failed.worker.caches.list()).flat().some((url) => url.endsWith("snapshot")));
});

check("when it takes over, other builds are dropped", async () => {
  const { worker } = await openApp();
  await worker.caches.open("pocket:/ b0");
  await worker.caches.open("pocket:/other b0");
  await (await worker.event("activate")).done;
  assert.deepEqual(Object.keys(worker.caches.list()).sort(), ["pocket:/ b1", "pocket:/other b0"]);
});

check("making ready says how far it is, and what it is", async () => {
  const opened = await openApp();
  const said = await start(opened);
  const shares = said.slice(0, -1).map(({ progress }) => progress);
  assert.deepEqual(shares, [...shares].sort((one, other) => one - other));
  assert.deepEqual([...new Set(shares)].slice(-3), [0.5, 0.8, 1]);
  assert.ok(shares.length > 6); // so often that nobody takes it for dead
  assert.deepEqual(said.at(-1), { mark: "me", ready: true, build: "b1", version: "1", unsent: 0, aside: 0, fault: null, missing: 0, starting: false, outdated: false });
});

check("where no memory can be made each step of the start itself is told", async () => {
  const { worker, program } = await openApp();
  program.refuses = ({ _makeSnapshot: making }) => making;
  const shares = (await start({ worker })).slice(0, -1).map(({ progress }) => progress);
  assert.ok(shares.filter((share) => share === 0.8).length > 6);
});

check("while it is being made ready it says so, and is not ready", async () => {
  const { worker, program } = await openApp();
  const { loadPyodide } = program;
  let said;
  program.loadPyodide = async (options) => {
    said ??= (await worker.tell({ pocket: "status" })).at(-1);
    return loadPyodide(options);
  };
  await start({ worker });
  assert.deepEqual([said.ready, said.starting], [false, true]);
  assert.equal((await status({ worker })).ready, true);
});

check("a start is from the memory of an earlier one; one that is of no use is thrown away", async () => {
  const { program, worker } = await openApp();
  let refused = 0;
  program.refuses = ({ _loadSnapshot: memory }) => memory && refused++ === 0;
  await start({ worker });
  assert.deepEqual(program.memories.map((memory) => memory && [...memory]), [null, [1, 2, 3], null]);
  assert.equal((await status({ worker })).ready, true);
});

check("a program that does not start says so, and is started again after a minute", async () => {
  const opened = await openApp();
  const { worker, program, server } = opened;
  program.refuses = () => true;
  await start(opened);
  assert.match((await status(opened)).fault, /no start/);
  program.refuses = null;
  server.down = noNetwork;
  await worker.ask("en/m/abc").catch(() => null);
  const before = program.starts;
  await worker.ask("en/m/abc").catch(() => null);
  assert.equal(program.starts, before);
  await worker.advance(61_000);
  assert.equal(await textOf(worker.ask("en/m/abc")), "the board, made here");
});

check("a worker that was stopped starts with what was stored, and news that waited", async () => {
  const opened = await openUnsent("deal-1");
  const again = await openApp({ caches: opened.worker.caches, installs: false });
  again.server.down = noNetwork;
  await again.worker.ask("en/m/abc");
  assert.equal(again.program.given.me, "me");
  assert.deepEqual(again.program.given.rows, [[["events", 1], "deal-1"]]);
  assert.equal(again.program.given.key, opened.program.given.key);
  assert.match(again.program.given.key, /^[0-9a-f]{48}$/);
});

// --- answered -------------------------------------------------------------------------------------------

check("with a network the server's pages are shown", async () => {
  const { worker } = await openReady();
  assert.equal(await textOf(worker.ask("en/m/abc")), "the server's en/m/abc");
});

check("without network the program answers; what it does not know is nowhere", async () => {
  const { worker, server } = await openReady();
  server.down = noNetwork;
  assert.equal(await textOf(worker.ask("en/m/abc")), "the board, made here");
  const missing = await worker.ask("en/m/zzz");
  assert.equal(missing.status, 503);
  assert.equal(await missing.text(), "not in this device");
  assert.equal(await textOf(worker.ask("manifest")), "nie ma"); // in the language that the front page leads to
});

check("a slow network is waited for three seconds, then half a second for a while", async () => {
  const { worker, server } = await openReady();
  server.down = never;
  let shown = null;
  const open = () => { shown = null; worker.ask("en/m/abc", { waits: false }).then((answer) => { shown = answer; }); };
  open();
  await worker.advance(2_900);
  assert.equal(shown, null);
  await worker.advance(200);
  assert.equal(await shown.text(), "the board, made here");
  server.down = noNetwork;
  await worker.ask("en/m/abc");
  server.down = never;
  open();
  await worker.advance(600);
  assert.equal(await shown.text(), "the board, made here");
});

check("scripts are answered by the server, and by the program where it is silent", async () => {
  const { worker, server } = await openReady();
  assert.equal(await textOf(worker.ask("en/m/abc", { mode: "cors" })), "the server's en/m/abc");
  server.down = () => new Response("bad gateway", { status: 502 });
  assert.equal(await textOf(worker.ask("en/m/abc", { mode: "cors" })), "the board, made here");
  assert.equal(await worker.ask("manifest.webmanifest", { mode: "cors" }), undefined); // files of no language are not its own
});

check("a form of another site is never the program's", async () => {
  const { worker, server, program } = await openReady();
  server.down = noNetwork;
  await post(worker, "en/m/abc/deal", "deal-1", { referrer: "https://elsewhere.example/" }).catch(() => null);
  assert.deepEqual(program.events, []);
});

check("the program is told the languages of the browser, and where a request comes from", async () => {
  const { worker, server, program } = await openReady();
  server.down = noNetwork;
  await worker.ask("en/m/abc#x", { referrer: `${SCOPE}en/` });
  assert.equal(program.headers["accept-language"], "pl,en");
  assert.equal(program.headers.referer, `${SCOPE}en/`);
  assert.equal(program.log.at(-1), "GET /en/m/abc");
});

check("what fails in the program is lost from memory alone; the next start has what was stored", async () => {
  const { worker, server, program } = await openUnsent("deal-1");
  program.broken = new Error("out of memory");
  await worker.ask("en/m/abc").catch(() => null);
  program.broken = null;
  assert.equal(await textOf(worker.ask("en/m/abc")), "the board, made here");
  assert.deepEqual(program.given.rows, [[["events", 1], "deal-1"]]);
  assert.ok(server.down);
});

check("what was recorded is on the disk before anybody is told of it", async () => {
  const { worker } = await openUnsent("deal-1");
  const rows = await load("offline/app/rows.js");
  assert.equal(await rows.countLosses("me"), 1);
  assert.deepEqual(worker.messages.at(-1).pocket.unsent, 1);
});

// --- files that the browser has deleted -----------------------------------------------------------------

/** The worker of the same device, in which the browser has deleted some of the files. */
async function openLacking({ worker }, server = makeServer()) {
  const cache = await worker.caches.open("pocket:/ b1");
  for (const name of ["stdlib.zip", "app.zip"]) await cache.delete(`pocket/b1/${name}`);
  return openApp({ caches: worker.caches, installs: false, server });
}

check("a program of which files are missing is not said to be ready, and they come again by themselves", async () => {
  const again = await openLacking(await openReady());
  again.server.lacksFiles = true;
  const { ready, missing } = await status(again);
  assert.deepEqual([ready, missing], [false, 2]);
  again.server.lacksFiles = false;
  await again.worker.advance(16_000);
  await status(again);
  const now = await status(again);
  assert.deepEqual([now.ready, now.missing, now.fault], [true, 0, null]);
  again.server.down = noNetwork;
  assert.equal(await textOf(again.worker.ask("en/m/abc")), "the board, made here");
});

check("what is unsent is sent without the program too; with its files back, once more", async () => {
  const again = await openLacking(await openUnsent("deal-1", "deal-2"));
  again.program.record("deal-1"); // as it will find it stored
  again.server.lacksFiles = true;
  await status(again);
  assert.deepEqual(again.server.delivered, ["deal-1", "deal-2"]);
  const { unsent, ready, fault } = await status(again);
  assert.deepEqual([unsent, ready], [0, false]);
  assert.match(fault, /2 files are missing/);
  assert.equal(await textOf(again.worker.ask("en/m/abc")), "the server's en/m/abc");
  again.server.lacksFiles = false;
  await again.worker.advance(16_000);
  await status(again);
  assert.equal((await status(again)).ready, true);
});

check("what the server does not take without the program stays unsent, and is not lost with another start", async () => {
  const again = await openLacking(await openUnsent("deal-1", "deal-2"));
  again.server.lacksFiles = true;
  again.server.refuses = ({ event }) => (event === "deal-2" ? 409 : null);
  await status(again);
  assert.deepEqual([again.server.delivered, (await status(again)).unsent], [["deal-1"], 1]);
  const third = await openApp({ caches: again.worker.caches, installs: false });
  third.server.lacksFiles = true;
  await status(third);
  assert.deepEqual([third.server.delivered, (await status(third)).unsent], [["deal-2"], 0]);
});

check("what only the program can send still counts as unsent when the rest was sent without it", async () => {
  const { program, worker } = await openUnsent("deal-1");
  program.state.unsent += 3; // an imported match, which is in no such delivery
  program.rows.push([["events", 2], "imported"]);
  await worker.ask("en/m/abc");
  const again = await openLacking({ worker });
  again.server.lacksFiles = true;
  await status(again);
  assert.deepEqual([again.server.delivered, (await status(again)).unsent], [["deal-1"], 3]);
});

check("trying again fetches what is missing", async () => {
  const again = await openLacking(await openUnsent("deal-1"));
  again.program.record("deal-1");
  const said = await start(again);
  assert.deepEqual([said.at(-1).ready, said.at(-1).missing, again.server.delivered], [true, 0, []]);
});

// --- sent -----------------------------------------------------------------------------------------------

check("what is not at the server is sent, in order, before its pages are shown", async () => {
  const { worker, server } = await openUnsent("deal-1", "deal-2");
  server.down = null;
  await worker.advance(16_000); // the loss is forgotten
  const seen = [];
  const { answer } = server;
  server.answer = (request) => { seen.push(request.path); return answer(request); };
  assert.equal(await textOf(worker.ask("en/m/abc")), "the server's en/m/abc");
  assert.deepEqual(server.delivered, ["deal-1", "deal-2"]);
  assert.ok(seen.lastIndexOf("offline/events") < seen.indexOf("en/m/abc"));
});

check("while something is not at the server and that is slow, the program answers", async () => {
  const { worker, server } = await openUnsent("deal-1");
  await worker.advance(16_000);
  server.down = never;
  let shown = null;
  worker.ask("en/m/abc", { waits: false }).then((answer) => { shown = answer; });
  await worker.advance(3_100);
  assert.equal(await shown.text(), "the board, made here");
});

check("a page that the server makes while something is not there, and the program does not start, says that it lacks that", async () => {
  const { worker } = await openUnsent("deal-1");
  const again = await openApp({ caches: worker.caches, installs: false });
  again.program.record("deal-1"); // as it will find it stored
  again.program.refuses = () => true;
  again.server.refuses = () => 409; // nor can it be sent without the program
  const { answer } = again.server;
  again.server.answer = async (request) => {
    const given = await answer(request), type = given.headers.get("Content-Type");
    return type === "text/html" ? new Response(`<html lang="en">${await given.text()}</html>`, given) : given;
  };
  for (const mode of ["navigate", "cors"]) {
    assert.equal(await textOf(again.worker.ask("en/m/abc/deal", { mode })), '<html data-lacking lang="en">the server\'s en/m/abc/deal</html>');
    assert.match(await textOf(again.worker.ask("en/", { mode })), /^<html data-lacking/); // matches are listed there
    assert.match(await textOf(again.worker.ask("en/rules", { mode })), /^<html lang/); // no entry would be there
  }
  assert.ok(again.program.starts);
  again.program.refuses = again.server.refuses = null;
  await again.worker.advance(61_000);
  assert.equal(await textOf(again.worker.ask("en/m/abc")), '<html lang="en">the server\'s en/m/abc</html>');
  assert.deepEqual(again.server.delivered, ["deal-1"]);
});

check("what is delivered says whose it is", async () => {
  const { worker, server } = await openUnsent("deal-1");
  server.down = null;
  await worker.tell({ pocket: "deliver" });
  const { options } = worker.requests.find(({ path }) => path === "offline/events");
  assert.equal(options.headers["X-Browser"], "me");
  assert.deepEqual(server.delivered, ["deal-1"]);
  assert.equal((await status({ worker })).unsent, 0);
});

check("a browser that was signed out keeps what is unsent, is shown the server's pages, and sends when it is back in", async () => {
  const { worker, server } = await openUnsent("deal-1");
  server.mark = "nobody";
  const { answer } = server;
  server.answer = async (request) => (request.path.startsWith("offline/") ? new Response("{}", { status: 401 }) : answer(request));
  server.down = null;
  await worker.advance(20_000);
  await worker.tell({ pocket: "deliver" });
  assert.deepEqual(server.delivered, []);
  assert.equal((await status({ worker })).mark, "nobody");
  assert.equal(await textOf(worker.ask("en/m/abc")), "the server's en/m/abc");
  Object.assign(server, { answer, mark: "me" });
  await worker.ask("en/browser");
  await worker.tell({ pocket: "deliver" });
  assert.deepEqual(server.delivered, ["deal-1"]);
});

check("what the server does not take stays, and the program hears why; it is not tried without end", async () => {
  const { worker, server, program } = await openUnsent("deal-1", "deal-2");
  server.down = null;
  server.refuses = () => 409;
  await worker.tell({ pocket: "deliver" });
  assert.deepEqual(program.log.filter((line) => line.startsWith("answer")), ["answer deal-1 409 no"]);
  assert.equal((await status({ worker })).unsent, 2);
});

check("426: the app is newer at the server, and is looked for", async () => {
  const { worker, server } = await openUnsent("deal-1");
  server.down = null;
  server.refuses = () => 426;
  await worker.tell({ pocket: "deliver" });
  assert.equal(worker.updates, 1);
});

check("two who ask for it at once: each event is sent once", async () => {
  const { worker, server } = await openUnsent("deal-1", "deal-2");
  server.down = null;
  await Promise.all([worker.tell({ pocket: "deliver" }), worker.tell({ pocket: "deliver" }), worker.event("sync")]);
  await settle();
  assert.deepEqual(server.delivered, ["deal-1", "deal-2"]);
});

check("of another version nothing is sent until the app is as new", async () => {
  const { worker, server } = await openUnsent("deal-1");
  server.down = null;
  server.version = "2";
  await worker.ask("static/x", { mode: "no-cors" });
  await worker.tell({ pocket: "deliver" });
  await worker.tell({ pocket: "deliver" });
  assert.equal((await status({ worker })).outdated, true);
  assert.ok(worker.updates >= 1);
});

// --- ahead ----------------------------------------------------------------------------------------------

check("a match that the server has more of is not shown from here, until the news are read", async () => {
  const { worker, server } = await openReady();
  server.log = "abc:5";
  const { answer } = server;
  server.answer = (request) => (request.path === "offline/news" ? noNetwork() : answer(request));
  await worker.ask("en/m/abc");
  const rows = await load("offline/app/rows.js");
  assert.deepEqual((await rows.readBrowser()).ahead, { abc: 5 });
  server.down = noNetwork;
  await assert.rejects(textOf(worker.ask("en/m/abc", { mode: "cors" })));
  server.down = null;
  server.answer = answer;
  server.matches = [{ id: "abc", from: 0, events: [1, 2, 3, 4, 5], access: "w" }];
  await worker.tell({ pocket: "deliver" });
  server.down = noNetwork;
  assert.equal(await textOf(worker.ask("en/m/abc", { mode: "cors" })), "the board, made here");
});

check("before a script hears that its form was written, it is on the disk that the server has more", async () => {
  const { worker, server } = await openReady();
  const { answer } = server; // no news, which would say that it is here by now
  server.answer = (request) => (request.path === "offline/news" ? noNetwork() : answer(request));
  const rows = await load("offline/app/rows.js");
  await post(worker, "en/m/abc/deal", "x", { waits: false });
  assert.deepEqual((await rows.readBrowser()).ahead, { abc: 9 });
});

check("the news are asked for at once after something was written", async () => {
  const { worker, server } = await openReady();
  const before = server.asked.length;
  await post(worker, "en/m/abc/deal", "x");
  await settle();
  assert.ok(server.asked.length > before);
});

check("news wait on the disk while the program does not run, and are read at its start in their order", async () => {
  const opened = await openReady();
  const again = await openApp({ caches: opened.worker.caches, installs: false });
  again.server.news = 10;
  for (const length of [1, 2]) {
    again.server.matches = [{ id: "abc", from: length - 1, events: [length], access: "w" }];
    await again.worker.tell({ pocket: "deliver" });
    again.server.log = `abc:${length + 1}`;
    await again.worker.ask("en/m/abc");
    await again.worker.advance(1_000);
  }
  again.server.down = noNetwork;
  await again.worker.ask("en/m/xyz").catch(() => null);
  const read = again.program.log.filter((line) => line.startsWith("news"));
  assert.deepEqual(read, [...read].sort());
});

// --- whose ----------------------------------------------------------------------------------------------

check("whose browser it is, the server says; of anybody else nothing is shown", async () => {
  const { worker, server, program } = await openUnsent("deal-1");
  server.down = null;
  server.mark = "other";
  await worker.advance(16_000);
  server.refuses = () => 403;
  await worker.ask("en/new");
  await settle();
  assert.equal((await status({ worker })).mark, "other");
  server.down = noNetwork;
  program.log.length = 0;
  await worker.ask("en/m/abc");
  assert.equal(program.given.me, "other");
  assert.deepEqual(program.given.rows, []);
  assert.equal(await (await load("offline/app/rows.js")).countLosses("me"), 1); // and nothing of the first is lost
});

check("a browser that keeps no cookie is another one each time: that ends", async () => {
  const opened = await openApp();
  let n = 0;
  Object.defineProperty(opened.server, "mark", { get: () => `somebody-${n++}` });
  const said = await start(opened);
  assert.match(said.at(-1).fault, /cookie/);
});

check("removed, nothing is left of it but the files", async () => {
  const { worker } = await openUnsent("deal-1");
  const [said] = await worker.tell({ pocket: "remove" });
  assert.equal(said.ready, false);
  assert.equal(await (await load("offline/app/rows.js")).readBrowser(), null);
});

// --- display settings -----------------------------------------------------------------------------------

check("how the server shows pages is told to the program, and what is chosen here is chosen there", async () => {
  const { worker, server, program } = await openReady();
  const { answer } = server;
  let shown = "lang=en&paper=";
  server.answer = async (request) => {
    if (request.path.startsWith("pl/paper")) shown = "lang=pl&paper=dark";
    const given = await answer(request);
    given.headers.set?.("X-Chosen", shown);
    return given;
  };
  await worker.ask("en/m/abc");
  await settle();
  assert.ok(program.log.includes("choose lang=en&paper="));
  server.down = noNetwork;
  Object.assign(program.state, { chosen: shown, cookies: { lang: "pl", paper: "dark" } });
  await worker.ask("en/m/abc");
  server.down = null;
  await worker.advance(16_000);
  await worker.ask("en/m/abc");
  await settle();
  assert.ok(worker.requests.some(({ path }) => path.startsWith("pl/paper/dark")));
});
