// The worker of a device that has the app from a folder of files: the plain worker (offline/worker.js), which asks
// `self.offlineApp` for every answer. No server is behind it; where the program is not ready in time, the page from which
// it was begun shows how far it is.
import "../worker.js";
import { wantsSnapshot } from "./boot.js";
import { dropOthers, fill, find } from "./files.js";
import {
  after, answer, countMissing, describeStatus, device, draw, forget, inTurn, isReplaced, now, once, prepare, ROOT, run, SCOPE,
  setUp, stepListeners, takes,
} from "./program.js";
import { changeBrowser, keep, readBrowser } from "./rows.js";
/** @import { Fetch, Kit, OfflineApp, PageMessage } from "../types.js" */

const PATIENCE = 4_000; // milliseconds until a page shows that the program is being started
/** @type {Pick<OfflineApp, "markLacking" | "makePlaceholder" | "onAnswer" | "markOffline">} */
const NO_SERVER = { markLacking: async (_request, page) => page, makePlaceholder: async () => null, onAnswer: async () => {}, markOffline() {} };
const IDLE = 10_000; // milliseconds without a page or a form until a snapshot is made
const PACE = 1_000; // milliseconds between two looks for a newer worker

/** @param {Pick<Kit, "build" | "version" | "files">} build @param {Pick<Kit, "loadPyodide" | "createPyodideModule">} pyodide */
export function begin(build, pyodide) {
  setUp("alone", build, pyodide);
  self.offlineApp = { takes, isReady: () => true, patience: () => PATIENCE, answerFirst, answer, answerScript, ...NO_SERVER, forget };
  addEventListener("install", (event) => event.waitUntil(Promise.all([fill(device.kit), askNobodyElse(event)])));
  addEventListener("activate", (event) => event.waitUntil(dropOthers(build.build)));
  addEventListener("message", (event) => { if (event.data.pocket) event.waitUntil(heed(event)); });
}

// Keeps addresses of matches from the host: without a route of its own Chromium asks it, too, while a worker starts.
/** @param {ExtendableEvent & { addRoutes?: (route: object) => Promise<void> }} event */
const askNobodyElse = (event) => event.addRoutes?.({ condition: { urlPattern: `${SCOPE}*` }, source: "fetch-event" });

// Reads whose matches are here. A new device gives itself what a server would: an identity, a seed for ids, a token.
const readOwn = once(async () => {
  const { version: server } = device.kit;
  if (device.browser?.server === server) return;
  const browser = (await readBrowser()) ?? (await changeBrowser(draw(6)));
  const known = { seed: draw(32), token: draw(16), ...browser, server };
  await keep(browser.mark, { known: { seed: known.seed, token: known.token, server } });
  device.browser = known;
});

let asked = -Infinity, isPreparing = false; // when a page or a form was requested last; whether a snapshot is being made

/** @param {Fetch} event @param {ArrayBuffer} [body] */
async function answerFirst(event, body) {
  const { request } = event, place = new URL(request.url).pathname.slice(ROOT.length + 1);
  const file = await find(device.kit, SCOPE + place);
  if (file) return file;
  if (request.headers.has("X-Seen")) {
    if (isPreparing) return new Response(null, { status: 304 }); // nobody waits for news
  } else {
    asked = now();
    event.waitUntil(prepareIdle());
  }
  const made = respond(event, body).catch(() => null), isPage = request.mode === "navigate" && !body;
  return (await (isPage ? Promise.race([made, after(PATIENCE).then(() => null)]) : made)) ?? (isPage ? leadToBeginning(request) : null);
}

/** @param {Fetch} event @param {ArrayBuffer} [body] */
async function respond(event, body) {
  await readOwn();
  return answer(event, body);
}

/** @param {Fetch} event */
async function answerScript(event) {
  const { request } = event, body = request.method === "POST" ? await request.clone().arrayBuffer() : undefined;
  return (await answerFirst(event, body)) ?? new Response(null, { status: 503 });
}

// Leads to the page that starts the program, and from there back.
/** @param {Request} request */
function leadToBeginning({ url }) {
  const { pathname, search } = new URL(url), [language] = /^\w\w(?=\/)/.exec(pathname.slice(ROOT.length + 1)) ?? [];
  const known = language && device.kit.files.includes(`${SCOPE}${language}/index.html`);
  return Response.redirect(`${SCOPE}${known ? `${language}/` : ""}index.html?to=${encodeURIComponent(pathname + search)}`);
}

// Makes the snapshot that later starts begin from, when nothing was requested for a while; whoever asks goes first, and
// so does a newer worker, which waits as long as this one has something to do.
async function prepareIdle() {
  if (!(await wantsSnapshot(device.kit))) return;
  for (const until = now() + IDLE; now() < until; await after(PACE)) if (isReplaced()) return;
  if (now() - asked < IDLE) return;
  isPreparing = true;
  await prepare(() => {}, false);
  isPreparing = false;
}

/** @param {{data: PageMessage, ports: readonly Pick<MessagePort, "postMessage">[]}} event */
async function heed({ data: { pocket: what }, ports: [port] }) {
  if (what === "remove") await forget();
  if (what === "start") await start(port).catch((error) => { device.fault = String(error); });
  await countMissing();
  port?.postMessage(describeStatus());
}

// Starts the program, and reports each step: a page that hears nothing takes the worker for dead.
/** @param {Pick<MessagePort, "postMessage">} [port] */
async function start(port) {
  const report = () => port?.postMessage({ progress: null });
  device.failed = -Infinity;
  device.starting = true;
  stepListeners.add(report);
  try {
    await fill(device.kit, report);
    await readOwn();
    await inTurn(() => run(() => {}));
  } finally {
    device.starting = false;
    stepListeners.delete(report);
  }
}
