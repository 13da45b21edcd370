// The worker of a device that has the offline app: it answers where the network does not.
//
// What a plain device's worker does (offline/worker.js) it does too; that asks `self.offlineApp` what it can answer.
import "../worker.js";
import { isOfApp, findChoice, readOutcome, toResponse } from "./answers.js";
import { boot, Interrupted, makeSnapshot } from "./boot.js";
import { dropOthers, fill, listMissing, Missing } from "./files.js";
import { addNews, changeBrowser, keep, readBrowser, readRows, removeAll } from "./rows.js";
/** @import { Browser, Fetch, Kit, Known, News, Outgoing, PageMessage, Program, Row, Status } from "../types.js" */

const SCOPE = new URL("./", location.href).href, ROOT = new URL(SCOPE).pathname.slice(0, -1);
const NETWORK_TIMEOUT = 3_000; // milliseconds until the offline app answers in place of a network that may be there
const SHORT_TIMEOUT = 500; // the same where there was none a moment ago
const LOSS_REMEMBERED = 15_000; // for how long that is so
const NEWS_DELAY = 500; // milliseconds after a page that tells of more until news are asked for
const RETRY_DELAY = 60_000; // milliseconds until a program that failed is started again, and news are asked for unasked
const REFILL_DELAY = 15_000; // milliseconds until files that did not come are asked for again
const POST_TIMEOUT = 60_000; // milliseconds until an answer that does not come is none: others wait for their turn behind it
const OWN = /^\w+\/(?:m\/[\w-]+\/)?pocket\//; // pages about what is not at the server yet

const now = () => performance.now(); // no clock that somebody sets
/** @param {number} time @returns {Promise<void>} */
const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
/** @type {Kit} */
let kit;

// The files of a build by their places below the app's address, and what Pyodide has brought along.
/** @param {Pick<Kit, "build" | "version" | "files">} build @param {Pick<Kit, "loadPyodide" | "createPyodideModule">} pyodide */
export function begin({ build, version, files }, pyodide) {
  kit = { build, version, files: files.map((place) => SCOPE + place), base: `${SCOPE}pocket/${build}/`, ...pyodide };
  self.offlineApp = { takes, isReady, patience, answerFirst, answer, answerScript, markLacking, standIn, hear, lose, forget };
  addEventListener("install", (event) => event.waitUntil(fill(kit))); // and no more: some browsers give up one that is busy here
  addEventListener("activate", (event) => event.waitUntil(dropOthers(kit.build)));
  addEventListener("message", (event) => { if (event.data.pocket) event.waitUntil(heed(event)); });
  addEventListener("sync", (event) => event.waitUntil(deliver()));
}

let waiting = 0, prepared = -Infinity; // how many wait for a page of the program; when a snapshot was tried last

// A memory for later starts; whoever waits for a page goes first. Without one each start is an ordinary one.
/** @param {(share: number) => void} heed */
async function prepare(heed, isAsked = true) {
  prepared = now();
  /** @param {number} share */
  const pause = (share) => {
    if (waiting) throw new Interrupted();
    heed(share);
  };
  await inTurn(() => makeSnapshot(kit, pause, isAsked)).catch((error) => console.warn("no snapshot", error));
}

// After an update there is none; it is made while nothing else is done here, and not by a version that is to be replaced:
// the browser waits for it to be idle.
async function prepareUnasked() {
  if (isReady() && !missing && !isOutdated() && !isGone() && !own?.unsent && !program && now() - prepared > RETRY_DELAY) await prepare(() => {}, false);
}

// --- what is known ---------------------------------------------------------------------------------

// Of the browser whose offline app this is: `have` is how much of each match is here, `ahead` how much more there may be
// at the server, `unsent` how many events are not there yet.
/** @type {Browser | null} */
let own = null;
/** @type {Promise<void> | undefined} */
let knowing;
/** @type {string | null} */
let fault = null;
let failed = -Infinity, goneSince = -Infinity, asked = -Infinity;
let missing = 0, starting = false; // how many files are not here; whether it is being made ready
let refilled = -Infinity;

const know = () => (knowing ??= readBrowser().then((found) => { own = found; }, () => { knowing = undefined; }));
const current = () => {
  if (!own) throw new Error("nobody's browser yet");
  return own;
};
const isReady = () => Boolean(own?.seed) && now() - failed > RETRY_DELAY;
const isOutdated = () => own?.server !== undefined && own.server !== kit.version;
const isGone = () => navigator.onLine === false || now() - goneSince < LOSS_REMEMBERED;
const patience = () => (isGone() ? SHORT_TIMEOUT : NETWORK_TIMEOUT);
/** @param {string} url */
const matchOf = (url) => /\/m\/([\w-]+)/.exec(url)?.[1];

/** @returns {Status} */
const describe = () => ({
  mark: own?.mark, ready: Boolean(own?.seed) && !fault && !missing && !starting, build: kit.build, version: kit.version,
  unsent: own?.unsent ?? 0, aside: own?.aside ?? 0, fault, missing, starting,
  outdated: isOutdated(),
});

async function notifyPages() {
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage({ pocket: describe() });
}

// Whose browser it is, the server says; of anybody else nothing is shown.
/** @param {string} mark */
const become = (mark) => inTurn(async () => {
  if (own?.mark === mark) return;
  own = await changeBrowser(mark);
  program = undefined;
  await notifyPages();
});

// --- the program -----------------------------------------------------------------------------------

/** @type {Promise<Program> | undefined} */
let program;
/** @type {Promise<unknown>} */
let turn = Promise.resolve();

/** @type {Set<() => void>} */
const hearers = new Set(); // of each step of a start
const heedStep = () => { for (const heed of hearers) heed(); };

// One thing after the other.
/** @template T @param {() => T | Promise<T>} job @returns {Promise<T>} */
const inTurn = (job) => {
  const done = turn.then(job);
  turn = done.catch(() => {});
  return done;
};

const start = () => (program ??= startProgram().catch((error) => {
  program = undefined;
  failed = now();
  fault = String(error);
  console.warn("the offline app does not start", error);
  throw error;
}));

async function startProgram() {
  await countMissing();
  if (missing) throw new Missing(`${missing} files are missing`);
  const browser = current(), { rows, news, last } = await readRows(browser.mark);
  const made = await boot(kit, heedStep);
  const { key = drawKey(), seed, token, server } = browser;
  made.call("restore", JSON.stringify({ root: ROOT, me: browser.mark, key, seed, token, server, cookies: browser.cookies ?? {}, chosen: browser.chosen ?? "", rows }));
  if (browser.shown) made.call("choose", browser.shown);
  for (const text of news) {
    heedStep();
    made.call("take_news", text);
  }
  await persist(made, key, last);
  fault = null;
  return made;
}

const drawKey = () => [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// What has changed is on the disk before anybody hears of it; where nothing has, nothing is written.
/** @param {Program} made @param {string} [key] */
async function persist(made, key = own?.key, last = 0) {
  /** @type {Known & {rows: Row[]}} */
  const { rows, ...state } = JSON.parse(made.call("take_state"));
  const browser = current(), known = { key, ...state };
  const isNew = Object.entries(known).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(browser[/** @type {keyof Known} */ (name)]));
  if (!isNew && !rows.length && !last) return;
  const before = `${browser.unsent} ${browser.aside}`;
  await keep(browser.mark, { rows, known, last });
  Object.assign(browser, known);
  if (before === `${browser.unsent} ${browser.aside}`) return;
  if (browser.unsent) registration.sync?.register("deliver").catch(() => {}); // when there is a network, even without a page
  await notifyPages();
}

// What goes wrong here is lost from memory alone: the next start has what was kept. Who only reads is answered all the
// same where the disk takes no more.
/** @template T @param {(made: Program) => T | Promise<T>} job @param {boolean} isReading @returns {Promise<T>} */
async function run(job, isReading = false) {
  const made = await start();
  try {
    const result = await job(made);
    await persist(made).catch((error) => {
      if (!isReading) throw error;
      program = undefined;
    });
    return result;
  } catch (error) {
    program = undefined;
    fault = String(error);
    console.warn("the offline app failed", error);
    throw error;
  }
}

// --- requests --------------------------------------------------------------------------------------

// What scripts ask for, beside files: previews, forms, whether a page is still as it was.
/** @param {Request} request */
function takes({ url, method, mode }) {
  const path = url.slice(SCOPE.length);
  return mode !== "navigate" && /^\w\w\//.test(path) && ["GET", "HEAD", "POST"].includes(method);
}

/** @param {Request} request */
const placeOf = ({ url }) => new URL(url).pathname.slice(ROOT.length + 1);
/** @param {Request} request */
const isOwn = (request) => OWN.test(placeOf(request));

/** @type {WeakSet<Request>} */
const lacking = new WeakSet(); // what the server is asked for while something is not there

// While something is not at the server, its pages would lack that: it is sent first, or the offline app answers.
/** @param {Fetch} event @param {ArrayBuffer} [body] */
async function answerFirst(event, body) {
  await know();
  if (isOwn(event.request)) return answer(event, body);
  if (!own?.unsent) return null;
  if (isReady()) {
    const sent = deliver();
    event.waitUntil(sent);
    if (!isGone()) await Promise.race([sent, after(NETWORK_TIMEOUT)]);
    if (!own.unsent) return null;
  }
  const made = await answer(event, body);
  if (!made) lacking.add(event.request);
  return made;
}

// Where the offline app could not answer, a page of a match or the list of them says what it lacks.
/** @param {Request} request @param {Response} page of the server */
async function markLacking(request, page) {
  const isPage = page.headers.get("Content-Type")?.startsWith("text/html") && /^\w+\/(?:m\/|$)/.test(placeOf(request));
  if (!isPage || !page.ok || !lacking.has(request)) return page;
  const { status, headers } = page, text = (await page.text()).replace("<html", "<html data-lacking");
  return new Response(text, { status, headers });
}

// In the place of the server; null where that is beyond it.
/** @param {Fetch} event @param {ArrayBuffer} [body] */
async function answer({ request }, body) {
  await know();
  if (!isReady() || isBehind(request) || (body && !request.referrer.startsWith(SCOPE))) return null;
  waiting++;
  try {
    return await inTurn(() => {
      if (request.signal.aborted) return Response.error();
      return isReady() ? run((made) => ask(made, request, body), !body) : null; // it may be somebody else's by now
    });
  } catch {
    return null;
  } finally {
    waiting--;
  }
}

const isAhead = () => Object.keys(own?.ahead ?? {}).length > 0;

// Whether the server has more of this match than the offline app.
/** @param {Request} request */
const isBehind = ({ url }) => own?.ahead?.[matchOf(url) ?? ""] !== undefined;

/** @param {Program} made @param {Pick<Request, "method" | "url" | "headers" | "referrer">} request @param {ArrayBuffer} [body] */
function ask(made, { method, url, headers, referrer }, body) {
  const sent = Object.fromEntries(headers);
  sent["accept-language"] ??= navigator.languages.join(",");
  if (referrer.startsWith("http")) sent.referer = referrer;
  const answer = made.handle(method, url.split("#")[0], body, sent);
  return answer.status === 404 ? null : toResponse(answer, method, url); // nobody knows whether it is anywhere else
}

// What says that a page is not in this phone, in the language of its address, or else in that which the front page
// leads to; null where there is no program to say so.
/** @param {Request} request */
async function standIn({ url }) {
  if (!isReady()) return null;
  const [language] = /^\w\w\//.exec(url.slice(SCOPE.length)) ?? [];
  try {
    const page = await inTurn(() => run((made) => (language && findStandIn(made, SCOPE + language)) || findStandIn(made, findFront(made)), true));
    return page && new Response(page.body, { status: 503, headers: page.headers });
  } catch {
    return null;
  }
}

/** @param {Program} made @param {string} url */
const findHere = (made, url) => ask(made, { method: "GET", url, headers: new Headers(), referrer: "" });
/** @param {Program} made @param {string} place */
const findStandIn = (made, place) => findHere(made, `${place}offline`);
/** @param {Program} made */
const findFront = (made) => findHere(made, SCOPE)?.headers.get("Location") ?? SCOPE;

// What a script asked for: of the server, as long as there is one.
/** @param {Fetch} event @param {(answer: Response) => boolean} isSilent */
async function answerScript(event, isSilent) {
  const { request } = event, body = request.method === "POST" ? await request.clone().arrayBuffer() : undefined;
  const first = await answerFirst(event, body);
  if (first) return first;
  const arriving = fetch(request), noted = arriving.then((answer) => note(request, answer)).catch(() => null);
  event.waitUntil(arriving.then((answer) => hear(event, answer, noted), lose));
  try {
    const arrived = await (isReady() ? Promise.race([arriving, after(patience())]) : arriving);
    if (arrived && !isSilent(arrived)) {
      if (body) await noted;
      return await markLacking(request, arrived);
    }
  } catch {
    // no network
  }
  return (await answer(event, body)) ?? arriving;
}

// --- the server ------------------------------------------------------------------------------------

function lose() {
  goneSince = now();
}

// Of another version the offline app is fetched again in the background; until then it writes nothing.
/** @param {string} version */
async function heedVersion(version) {
  if (own && own.server !== version) {
    own.server = version;
    await keep(own.mark, { known: { server: version } });
    program = undefined; // it learns that at its start
  }
  if (isOutdated()) await registration.update().catch(() => {});
}

// In which language and on what paper pages are shown is in cookies that only the server reads.
/** @param {string | null} shown */
async function heedChoice(shown) {
  if (!own || !shown || own.shown === shown) return;
  own.shown = shown;
  await keep(own.mark, { known: { shown } });
  if (program) await inTurn(() => run((made) => made.call("choose", shown)));
}

// What was chosen here without network is chosen there as well, as on its pages.
async function notifyChoice() {
  const choice = isReady() && findChoice(current());
  if (!choice) return;
  const answer = await fetch(SCOPE + choice.path, { headers: { "X-Script": "1" }, referrer: SCOPE + choice.from });
  await heedChoice(answer.headers.get("X-Chosen"));
}

// What the server has beyond the offline app, by its answer: null where that is nothing, else whether a form was the cause.
// Of which match it is more is on the disk before anybody hears that something was written, lest the offline app show the
// match without it. A match that was begun is named by where the form led.
/** @param {Request} request @param {Response} answer @returns {Promise<{isWritten: boolean} | null>} */
async function note({ url, method }, answer) {
  await know();
  if (!own || !isOfApp(answer)) return null;
  const outcome = method === "POST" ? await readOutcome(answer) : null, more = outcome && { isWritten: true };
  const match = matchOf(url) ?? matchOf(outcome?.to ?? "");
  if (!match) return more;
  const hasMore = await noteLength(own, match, answer, outcome);
  return more ?? (hasMore ? { isWritten: false } : null);
}

// Whether the server has more of a match than is here.
/** @param {Browser} browser @param {string} match @param {Response} answer @param {Awaited<ReturnType<typeof readOutcome>>} outcome */
async function noteLength(browser, match, answer, outcome) {
  const { has, known } = lengthsOf(browser, match);
  const length = readLength(answer) ?? outcome?.seq ?? (outcome ? known + 1 : has);
  if (length <= has) return false;
  browser.ahead = { ...browser.ahead, [match]: Math.max(length, known) }; // more than news on their way are asked for
  await keep(browser.mark, { known: { ahead: browser.ahead } });
  return true;
}

// How long the log of a match is here, and how long it is known to be at the server.
/** @param {Browser} browser @param {string} match */
function lengthsOf({ have, ahead }, match) {
  const has = have?.[match]?.[0] ?? -1;
  return { has, known: Math.max(has, ahead?.[match] ?? -1) };
}

// How long the log of the match is, as a page of it says.
/** @param {Response} answer */
const readLength = (answer) => {
  const length = answer.headers.get("X-Log")?.split(":")[1];
  return length === undefined ? undefined : Number(length);
};

// An answer of the server says whose browser this is, by which version it is made, how long the log of a match is.
// After what was written the news are asked for at once: the network may go the next moment.
/** @param {Fetch} event @param {Response} answer @param {ReturnType<typeof note>} [noted] */
async function hear(event, answer, noted = note(event.request, answer)) {
  if (!isOfApp(answer)) return;
  goneSince = -Infinity;
  await know();
  if (!own) return;
  const more = await noted, mark = answer.headers.get("X-Browser"), version = answer.headers.get("X-Version");
  if (version) await heedVersion(version);
  const isOther = mark && mark !== own.mark;
  if (isOther) await become(mark);
  await heedChoice(answer.headers.get("X-Chosen"));
  await notifyChoice().catch(lose);
  if (isOther || more || now() - asked > RETRY_DELAY) event.waitUntil(after(more?.isWritten ? 0 : NEWS_DELAY).then(catchUp).catch(lose));
}

// What is sent is this browser's: the server takes it from nobody else, whose cookie it may have by now. A browser that
// was signed out is nobody: its pages are the server's, which say the way back in, and what is unsent stays until then.
/** @param {string} path @param {object} content */
const post = async (path, content) => {
  const answer = await fetch(`${SCOPE}offline/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pocket": "1", ...(own ? { "X-Browser": own.mark } : {}) },
    body: JSON.stringify(content),
    signal: AbortSignal.timeout?.(POST_TIMEOUT),
  });
  if (isSignedOut(answer)) await become("nobody");
  return answer;
};
/** @param {Response} answer */
const isSignedOut = ({ status }) => status === 401;

// One at a time; who asks meanwhile gets the same.
/** @template T @param {() => Promise<T>} job */
const once = (job) => {
  /** @type {Promise<T> | undefined} */
  let running;
  return () => (running ??= job().finally(() => { running = undefined; }));
};

// What others wrote, and this browser at the server: kept until the program runs, which reads it then.
const fetchNews = once(async () => {
  await know();
  for (let more = true, others = 0; more; ) {
    asked = now();
    const { mark = null, ahead: before = {}, have = {}, rulings } = /** @type {Partial<Browser>} */ (own ?? {});
    const response = await post("news", { version: kit.version, have, rulings: rulings ?? "" });
    if (isSignedOut(response)) return;
    if (!response.ok) throw new Error(`no news: ${response.status}`);
    const text = await response.text(), news = /** @type {News} */ (JSON.parse(text));
    if (news.version !== kit.version) return heedVersion(news.version);
    if (news.me !== mark) {
      if (++others > 2) throw new Error("this browser is another one each time: it keeps no cookie");
      await become(news.me);
      continue; // it has other matches
    }
    more = news.more;
    await inTurn(() => takeNews(text, news, before));
  }
});

// News that were on their way already may be older than what is known to be there.
async function catchUp() {
  await fetchNews();
  if (isAhead()) await fetchNews();
}

/** @param {string} text @param {News} news @param {Record<string, number>} before */
async function takeNews(text, { seed, token, version, matches, gone, rulings, rulings_at: last, more }, before) {
  const browser = current();
  const ahead = Object.fromEntries(Object.entries(browser.ahead ?? {}).filter(([id, length]) => more || before[id] !== length));
  const known = { seed, token, server: version, ahead, rulings: last };
  if (browser.unsent || program) {
    Object.assign(browser, known);
    await run((made) => made.call("take_news", text));
    return keep(browser.mark, { known });
  }
  const have = { ...browser.have };
  for (const { id, from, events, access } of matches) have[id] = [from + events.length, access];
  for (const id of gone) delete have[id];
  if (matches.length || gone.length || rulings.length) await addNews(browser.mark, text, { ...known, have });
  else await keep(browser.mark, { known });
  Object.assign(browser, known, { have });
}

const countMissing = () => listMissing(kit).then(({ length }) => { missing = length; }, () => { missing = kit.files.length; });

// Files that the browser has deleted come again, while there is a server; nobody waits for that.
const refill = once(async () => {
  if (!missing || !own?.seed || isOutdated() || isGone() || now() - refilled < REFILL_DELAY) return;
  refilled = now();
  await fill(kit).catch((error) => console.warn("files are missing", error));
  await countMissing();
  if (missing) return;
  failed = -Infinity;
  fault = null;
  await notifyPages();
});

// Where the program does not start, what it left to be sent is sent as it stands. It will send it once more, when it
// starts again, and read then what else the server has said.
const sendLeft = once(async () => {
  const browser = current(), { outgoing = [] } = browser;
  /** @type {Outgoing[]} */
  const left = [];
  for (const sent of outgoing) {
    const { ok } = await post(sent.path, sent.body);
    goneSince = -Infinity;
    if (!ok) left.push(sent);
  }
  if (left.length === outgoing.length || browser.outgoing !== outgoing) return;
  const known = { outgoing: left, unsent: left.reduce((sum, { count }) => sum + count, 0) };
  Object.assign(browser, known);
  await keep(browser.mark, { known });
  await notifyPages();
});

// What was recorded without network, in order, as far as the server takes it; what others wrote meanwhile is learnt
// between two attempts.
const deliver = once(async () => {
  await know();
  try {
    await notifyChoice();
    for (let left = Infinity; isReady() && !isOutdated() && own?.unsent && own.unsent < left; ) {
      left = own.unsent;
      await sendAll();
      await fetchNews();
    }
  } catch {
    if (isReady()) lose();
  }
  if (own?.unsent && !isReady() && !isOutdated()) await sendLeft().catch(lose);
});

async function sendAll() {
  for (let goesOn = true; goesOn; ) {
    const next = await inTurn(() => run((made) => made.call("next_delivery")));
    if (!next) return;
    const { id, path, body } = JSON.parse(next), response = await post(path, body), answer = await response.text();
    goneSince = -Infinity;
    if (isSignedOut(response)) return;
    if (response.status === 426) await registration.update().catch(() => {}); // there may be none of that version yet
    goesOn = await inTurn(() => run((made) => made.call("take_answer", id, response.status, answer)));
  }
}

// --- what pages say --------------------------------------------------------------------------------

/** @param {{data: PageMessage, ports: readonly Pick<MessagePort, "postMessage">[]}} event */
async function heed({ data: { pocket: what }, ports: [port] }) {
  await know();
  if (what === "remove") await forget();
  if (what === "start") await makeReady(port).catch((error) => { fault = String(error); });
  if (what === "deliver") await deliver().then(() => (isAhead() ? catchUp() : undefined)).catch(lose);
  await countMissing();
  port?.postMessage(describe());
  if (what === "status" && own?.unsent) await deliver();
  if (what !== "status" && what !== "deliver") return;
  await refill();
  await prepareUnasked();
}

// All that a first answer without network needs: the files, the news, and a memory to start from. Each step is told: who
// hears nothing takes it for dead.
/** @param {Pick<MessagePort, "postMessage">} [port] */
async function makeReady(port) {
  let reached = 0;
  /** @param {number} progress */
  const tell = (progress) => {
    reached = Math.max(reached, progress);
    port?.postMessage({ progress: reached });
  };
  const tellAgain = () => tell(reached);
  failed = -Infinity;
  starting = true;
  hearers.add(tellAgain);
  try {
    await fill(kit, tellAgain);
    await prepare((share) => tell(share / 2));
    tell(0.5);
    await fetchNews();
    tell(0.8);
    await inTurn(() => run(() => {}));
    tell(1);
  } finally {
    starting = false;
    hearers.delete(tellAgain);
  }
}

// Nothing is left but the files, which go with the worker.
const forget = () => inTurn(async () => {
  own = null;
  program = undefined;
  await removeAll();
});
