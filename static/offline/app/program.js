// The program: Python with the app in it. It is started when something needs it, and answers requests; what it changed is
// stored before its answer is given. It knows no server.
import { toResponse } from "./answers.js";
import { boot, Interrupted, makeSnapshot } from "./boot.js";
import { listMissing, Missing } from "./files.js";
import { keep, readBrowser, readRows, removeAll } from "./rows.js";
/** @import { Browser, Fetch, Kit, Known, Program, Row, Status } from "../types.js" */

export const SCOPE = new URL("./", location.href).href, ROOT = new URL(SCOPE).pathname.slice(0, -1);
export const RETRY_DELAY = 60_000; // milliseconds until a program that failed is started again

export const now = () => performance.now(); // a clock that nobody sets
/** @param {number} time @returns {Promise<void>} */
export const after = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * What the worker knows. The modules above this one change it too.
 * @typedef {object} Device
 * @property {Kit} kit
 * @property {Browser | null} browser the identity whose matches are here: `have` is how much of each match is here, `ahead`
 *   how much more there may be at the server, `unsent` how many events are not there yet
 * @property {string | null} fault why the program does not run
 * @property {number} failed when it did not start
 * @property {number} missing how many of its files are not here
 * @property {boolean} starting whether it is being made ready
 */
export const device = /** @type {Device} */ ({ browser: null, fault: null, failed: -Infinity, missing: 0, starting: false });

// Sets the build that this worker runs: its files, by their places below the app's address, and what Pyodide exports.
/** @param {Kit["host"]} host @param {Pick<Kit, "build" | "version" | "files">} build @param {Pick<Kit, "loadPyodide" | "createPyodideModule">} pyodide */
export function setUp(host, { build, version, files }, pyodide) {
  device.kit = { host, build, version, files: files.map((place) => SCOPE + place), base: `${SCOPE}pocket/${build}/`, ...pyodide };
}

// True for what scripts request beside files: previews, forms, whether a page is still current.
/** @param {Request} request */
export function takes({ url, method, mode }) {
  const path = url.slice(SCOPE.length);
  return mode !== "navigate" && /^\w\w\//.test(path) && ["GET", "HEAD", "POST"].includes(method);
}

/** @type {Promise<void> | undefined} */
let reading;
export const readDevice = () => (reading ??= readBrowser().then((found) => { device.browser = found; }, () => { reading = undefined; }));
export const currentBrowser = () => {
  if (!device.browser) throw new Error("nobody's browser yet");
  return device.browser;
};
export const isReady = () => Boolean(device.browser?.seed) && now() - device.failed > RETRY_DELAY;
export const isOutdated = () => device.browser?.server !== undefined && device.browser.server !== device.kit.version;
/** @param {string} url */
export const matchOf = (url) => /\/m\/([\w-]+)/.exec(url)?.[1];

/** @returns {Status} */
export function describeStatus() {
  const { browser, kit: { build, version }, fault, missing, starting } = device;
  return {
    mark: browser?.mark, ready: Boolean(browser?.seed) && !fault && !missing && !starting, build, version,
    unsent: browser?.unsent ?? 0, aside: browser?.aside ?? 0, fault, missing, starting,
    outdated: isOutdated(),
  };
}

export async function notifyPages() {
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage({ pocket: describeStatus() });
}

// --- one after another -----------------------------------------------------------------------------

/** @type {Promise<unknown>} */
let turn = Promise.resolve();

// Runs a job when those before it are done.
/** @template T @param {() => T | Promise<T>} job @returns {Promise<T>} */
export const inTurn = (job) => {
  const done = turn.then(job);
  turn = done.catch(() => {});
  return done;
};

// Makes a function that runs once at a time; a call while it runs gets the same result.
/** @template T @param {() => Promise<T>} job */
export const once = (job) => {
  /** @type {Promise<T> | undefined} */
  let running;
  return () => (running ??= job().finally(() => { running = undefined; }));
};

// --- started ---------------------------------------------------------------------------------------

/** @type {Promise<Program> | undefined} */
let program;
/** @type {Set<() => void>} */
export const stepListeners = new Set(); // called at each step of a start
const reportStep = () => { for (const listener of stepListeners) listener(); };

export const isRunning = () => program !== undefined;
// Drops the program; the next start reads what is stored.
export const stopProgram = () => { program = undefined; };

// Deletes all but the program's files.
export const forget = () => inTurn(async () => {
  device.browser = null;
  stopProgram();
  await removeAll();
});

const startOnce = () => (program ??= startProgram().catch((error) => {
  stopProgram();
  device.failed = now();
  device.fault = String(error);
  console.warn("the offline app does not start", error);
  throw error;
}));

async function startProgram() {
  await countMissing();
  if (device.missing) throw new Missing(`${device.missing} files are missing`);
  const browser = currentBrowser(), { rows, news, last } = await readRows(browser.mark);
  const started = await boot(device.kit, reportStep);
  const { key = draw(24), seed, token, server } = browser;
  started.call("restore", JSON.stringify({ root: ROOT, me: browser.mark, key, seed, token, server, cookies: browser.cookies ?? {}, chosen: browser.chosen ?? "", rows, first: !browser.key }));
  if (browser.shown) started.call("choose", browser.shown);
  for (const text of news) {
    reportStep();
    started.call("take_news", text);
  }
  await persist(started, key, last);
  device.fault = null;
  return started;
}

export async function countMissing() {
  const { kit } = device;
  device.missing = await listMissing(kit).then(({ length }) => length, () => kit.files.length);
}

// Draws random bytes, as hexadecimal digits.
/** @param {number} count */
export const draw = (count) => [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// Stores what the program has changed, if anything, and tells pages if the number of unsent events or conflicts did.
/** @param {Program} started @param {string} [key] */
async function persist(started, key = device.browser?.key, last = 0) {
  /** @type {Known & {rows: Row[]}} */
  const { rows, ...state } = JSON.parse(started.call("take_state"));
  const browser = currentBrowser(), known = { key, ...state };
  const isNew = Object.entries(known).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(browser[/** @type {keyof Known} */ (name)]));
  if (!isNew && !rows.length && !last) return;
  const before = `${browser.unsent} ${browser.aside}`;
  await keep(browser.mark, { rows, known, last });
  Object.assign(browser, known);
  if (before === `${browser.unsent} ${browser.aside}`) return;
  if (browser.unsent) registration.sync?.register("deliver").catch(() => {}); // when there is a network, even without a page
  await notifyPages();
}

// Runs a job with the program and stores what it changed. A failed job is lost from memory alone: the next start has
// what was stored. If the disk is full, whoever only reads still gets the result.
/** @template T @param {(started: Program) => T | Promise<T>} job @returns {Promise<T>} */
export async function run(job, isReading = false) {
  const started = await startOnce();
  try {
    const result = await job(started);
    await persist(started).catch((error) => {
      if (!isReading) throw error;
      stopProgram();
    });
    return result;
  } catch (error) {
    stopProgram();
    device.fault = String(error);
    console.warn("the offline app failed", error);
    throw error;
  }
}

// --- its snapshot ----------------------------------------------------------------------------------

let waiting = 0, prepared = -Infinity; // how many requests wait for the program; when a snapshot was tried last

// True if a newer worker waits until this one is idle.
export const isReplaced = () => Boolean(registration.waiting);

// Makes a snapshot for later starts; requests and a newer worker go first. Without one each start is an ordinary one.
/** @param {(share: number) => void} onProgress */
export async function prepare(onProgress, isAsked = true) {
  prepared = now();
  /** @param {number} share */
  const pause = (share) => {
    if (waiting || isReplaced()) throw new Interrupted();
    onProgress(share);
  };
  await inTurn(() => makeSnapshot(device.kit, pause, isAsked)).catch((error) => console.warn("no snapshot", error));
}

// Makes the snapshot that is missing after an update, if nothing else is to be done and this version is not about to be
// replaced: the browser waits for the worker to be idle.
export async function prepareUnasked() {
  const isIdle = isReady() && !device.missing && !isOutdated() && !device.browser?.unsent && !isRunning();
  if (isIdle && now() - prepared > RETRY_DELAY) await prepare(() => {}, false);
}

// --- its answers -----------------------------------------------------------------------------------

// Answers for the server; null if the program cannot.
/** @param {Fetch} event @param {ArrayBuffer} [body] */
export async function answer({ request }, body) {
  await readDevice();
  if (!isReady() || isBehind(request) || (body && !request.referrer.startsWith(SCOPE))) return null;
  waiting++;
  try {
    return await inTurn(() => {
      if (request.signal.aborted) return Response.error();
      return isReady() ? run((started) => ask(started, request, body), !body) : null; // another identity may be here by now
    });
  } catch {
    return null;
  } finally {
    waiting--;
  }
}

// True if the server has more of this match than the program.
/** @param {Request} request */
const isBehind = ({ url }) => device.browser?.ahead?.[matchOf(url) ?? ""] !== undefined;

/** @param {Program} started @param {Pick<Request, "method" | "url" | "headers" | "referrer">} request @param {ArrayBuffer} [body] */
function ask(started, { method, url, headers, referrer }, body) {
  const sent = Object.fromEntries(headers);
  sent["accept-language"] ??= navigator.languages.join(",");
  if (referrer.startsWith("http")) sent.referer = referrer;
  const given = started.handle(method, url.split("#")[0], body, sent);
  const mayBeOnServer = given.status === 404 && device.kit.host === "phone";
  return mayBeOnServer ? null : toResponse(given, method, url);
}

// The page that says that a page is not in this device, in the language of its address, else in that of the front page;
// null if the program is not ready.
/** @param {Request} request */
export async function makePlaceholder({ url }) {
  if (!isReady()) return null;
  const [language] = /^\w\w\//.exec(url.slice(SCOPE.length)) ?? [];
  try {
    const page = await inTurn(() => run((started) => (language && askOffline(started, SCOPE + language)) || askOffline(started, findFront(started)), true));
    return page && new Response(page.body, { status: 503, headers: page.headers });
  } catch {
    return null;
  }
}

/** @param {Program} started @param {string} url */
const openPage = (started, url) => ask(started, { method: "GET", url, headers: new Headers(), referrer: "" });
/** @param {Program} started @param {string} place */
const askOffline = (started, place) => openPage(started, `${place}offline`);
/** @param {Program} started */
const findFront = (started) => openPage(started, SCOPE)?.headers.get("Location") ?? SCOPE;
