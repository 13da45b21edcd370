// The worker of a phone that has the pocket, the app itself: it answers where the network does not.
//
// What a plain phone's worker does (offline/worker.js) it does too; that asks `self.pocket` what it can answer.
import "../worker.js";
import { isOfApp, findChoice, readOutcome, toResponse } from "./answers.js";
import { boot, makeSnapshot } from "./boot.js";
import { dropOthers, fill } from "./files.js";
import { addNews, changeBrowser, keep, readBrowser, readRows, removeAll } from "./rows.js";

const SCOPE = new URL("./", location).href, ROOT = new URL(SCOPE).pathname.slice(0, -1);
const PATIENCE = 3_000; // milliseconds until the pocket answers in place of a network that may be there
const HASTE = 500; // the same where there was none a moment ago
const MOMENT = 15_000; // for how long that is so
const LULL = 500; // milliseconds after a page that tells of more until news are asked for
const REPOSE = 60_000; // milliseconds until a program that failed is started again, and news are asked for unasked
const LONGEST = 60_000; // milliseconds until an answer that does not come is none: others wait for their turn behind it
const OWN = /^\w+\/(?:m\/[\w-]+\/)?pocket\//; // pages about what is not at the server yet

const now = () => performance.now(); // no clock that somebody sets
const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
let kit;

// The files of a build by their places below the app's address, and what Pyodide has brought along.
export function begin({ build, version, files }, pyodide) {
  kit = { build, version, files: files.map((place) => SCOPE + place), base: `${SCOPE}pocket/${build}/`, ...pyodide };
  self.pocket = { takes, isReady, patience, answerFirst, answer, answerScript, standIn, hear, lose, forget };
  addEventListener("install", (event) => event.waitUntil(prepare()));
  addEventListener("activate", (event) => event.waitUntil(dropOthers(kit.build)));
  addEventListener("message", (event) => event.data.pocket && event.waitUntil(heed(event)));
  addEventListener("sync", (event) => event.waitUntil(deliver()));
}

// All is made ready while pages are served by the worker before this one.
async function prepare() {
  await fill(kit);
  await inTurn(() => makeSnapshot(kit)).catch((error) => console.warn("no snapshot", error)); // each start is an ordinary one then
}

// --- what is known ---------------------------------------------------------------------------------

// Of the browser whose pocket this is: `have` is how much of each match is here, `ahead` how much more there may be
// at the server, `unsent` how many events are not there yet.
let own = null, knowing, fault = null, failed = -Infinity, goneSince = -Infinity, asked = -Infinity;

const know = () => (knowing ??= readBrowser().then((found) => { own = found; }, () => { knowing = undefined; }));
const isReady = () => Boolean(own?.seed) && now() - failed > REPOSE;
const isOutdated = () => Boolean(own?.server) && own.server !== kit.version;
const isGone = () => navigator.onLine === false || now() - goneSince < MOMENT;
const patience = () => (isGone() ? HASTE : PATIENCE);
const matchOf = (url) => /\/m\/([\w-]+)/.exec(url)?.[1];

const describe = () => ({
  mark: own?.mark, ready: Boolean(own?.seed) && !fault, build: kit.build, version: kit.version,
  unsent: own?.unsent ?? 0, aside: own?.aside ?? 0, fault,
  outdated: isOutdated(),
});

async function tellPages() {
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage({ pocket: describe() });
}

// Whose browser it is, the server says; of anybody else nothing is shown.
const become = (mark) => inTurn(async () => {
  if (own?.mark === mark) return;
  own = await changeBrowser(mark);
  program = undefined;
  await tellPages();
});

// --- the program -----------------------------------------------------------------------------------

let program, turn = Promise.resolve();

// One thing after the other.
const inTurn = (job) => {
  const done = turn.then(job);
  turn = done.catch(() => {});
  return done;
};

const start = () => (program ??= startProgram().catch((error) => {
  program = undefined;
  failed = now();
  fault = String(error);
  console.warn("the pocket does not start", error);
  throw error;
}));

async function startProgram() {
  const { rows, news, last } = await readRows(own.mark);
  const made = await boot(kit);
  const { key = drawKey(), seed, token, server } = own;
  made.call("restore", JSON.stringify({ root: ROOT, me: own.mark, key, seed, token, server, cookies: own.cookies ?? {}, chosen: own.chosen ?? "", rows }));
  if (own.shown) made.call("choose", own.shown);
  for (const one of news) made.call("take_news", one);
  await persist(made, key, last);
  fault = null;
  return made;
}

const drawKey = () => [...crypto.getRandomValues(new Uint8Array(24))].map((one) => one.toString(16).padStart(2, "0")).join("");

// What has changed is on the disk before anybody is told of it; where nothing has, nothing is written.
async function persist(made, key = own.key, last = 0) {
  const { rows, ...told } = JSON.parse(made.call("take_state")), known = { key, ...told };
  const isNew = Object.entries(known).some(([name, one]) => JSON.stringify(one) !== JSON.stringify(own[name]));
  if (!isNew && !rows.length && !last) return;
  const before = `${own.unsent} ${own.aside}`, { mark } = own;
  await keep(mark, { rows, known, last });
  Object.assign(own, known);
  if (before === `${own.unsent} ${own.aside}`) return;
  if (own.unsent) registration.sync?.register("deliver").catch(() => {}); // when there is a network, even without a page
  await tellPages();
}

// What goes wrong here is lost from memory alone: the next start has what was kept. Who only reads is answered all the
// same where the disk takes no more.
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
    console.warn("the pocket failed", error);
    throw error;
  }
}

// --- requests --------------------------------------------------------------------------------------

// What scripts ask for, beside files: previews, forms, whether a page is still as it was.
function takes({ url, method, mode }) {
  const path = url.slice(SCOPE.length);
  return mode !== "navigate" && /^\w\w\//.test(path) && ["GET", "HEAD", "POST"].includes(method);
}

const isOwn = ({ url }) => OWN.test(new URL(url).pathname.slice(ROOT.length + 1));

// While something is not at the server, its pages would lack that: it is sent first, or the pocket answers.
async function answerFirst(event, body) {
  await know();
  if (!isReady()) return null;
  if (!isOwn(event.request)) {
    if (!own.unsent) return null;
    const sent = deliver();
    event.waitUntil(sent);
    if (!isGone()) await Promise.race([sent, after(PATIENCE)]);
    if (!own.unsent) return null;
  }
  return answer(event, body);
}

// In the place of the server; null where that is beyond it.
async function answer({ request }, body) {
  await know();
  if (!isReady() || isBehind(request) || (body && !request.referrer.startsWith(SCOPE))) return null;
  try {
    return await inTurn(() => {
      if (request.signal.aborted) return Response.error();
      return isReady() ? run((made) => ask(made, request, body), !body) : null; // it may be somebody else's by now
    });
  } catch {
    return null;
  }
}

const isAhead = () => Object.keys(own?.ahead ?? {}).length > 0;

// Whether the server has more of this match than the pocket.
const isBehind = ({ url }) => own.ahead?.[matchOf(url)] !== undefined;

function ask(made, { method, url, headers, referrer }, body) {
  const said = Object.fromEntries(headers);
  said["accept-language"] ??= navigator.languages.join(",");
  if (referrer.startsWith("http")) said.referer = referrer;
  const answer = made.handle(method, url.split("#")[0], body, said);
  return answer.status === 404 ? null : toResponse(answer, method, url); // nobody knows whether it is anywhere else
}

// What says that a page is not in this phone, in the language of its address, or else in that which the front page
// leads to; null where there is no program to say so.
async function standIn({ url }) {
  if (!isReady()) return null;
  const [own] = /^\w\w\//.exec(url.slice(SCOPE.length)) ?? [];
  const find = (made, address) => ask(made, { method: "GET", url: address, headers: new Headers(), referrer: "" });
  const findIn = (made, place) => find(made, `${place}offline`);
  try {
    const page = await inTurn(() => run((made) => (own && findIn(made, SCOPE + own)) || findIn(made, find(made, SCOPE).headers.get("Location")), true));
    return page && new Response(page.body, { status: 503, headers: page.headers });
  } catch {
    return null;
  }
}

// What a script asked for: of the server, as long as there is one.
async function answerScript(event, isSilent) {
  const { request } = event, body = request.method === "POST" ? await request.clone().arrayBuffer() : undefined;
  const first = await answerFirst(event, body);
  if (first) return first;
  const arriving = fetch(request), noted = arriving.then((answer) => note(request, answer)).catch(() => false);
  event.waitUntil(arriving.then((answer) => hear(event, answer, noted), lose));
  try {
    const arrived = await (isReady() ? Promise.race([arriving, after(patience())]) : arriving);
    if (arrived && !isSilent(arrived)) {
      if (body) await noted;
      return arrived;
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

// Of another version the pocket is fetched anew, in the background; until then it writes nothing.
async function heedVersion(version) {
  if (own && own.server !== version) {
    own.server = version;
    await keep(own.mark, { known: { server: version } });
    program = undefined; // it is told at its start
  }
  if (isOutdated()) await registration.update().catch(() => {});
}

// In which language and on what paper pages are shown is in cookies that only the server reads.
async function heedChoice(shown) {
  if (!own || !shown || own.shown === shown) return;
  own.shown = shown;
  await keep(own.mark, { known: { shown } });
  if (program) await inTurn(() => run((made) => made.call("choose", shown)));
}

// What was chosen here without network is chosen there as well, as on its pages.
async function tellChoice() {
  const choice = isReady() && findChoice(own);
  if (!choice) return;
  const answer = await fetch(SCOPE + choice.path, { headers: { "X-Script": "1" }, referrer: SCOPE + choice.from });
  await heedChoice(answer.headers.get("X-Chosen"));
}

// What the server has beyond the pocket, by its answer: null where that is nothing, else whether a form was the cause.
// Of which match it is more is on the disk before anybody is told that something was written, lest the pocket show the
// match without it. A match that was begun is named by where the form led.
async function note({ url, method }, answer) {
  await know();
  if (!own || !isOfApp(answer)) return null;
  const outcome = method === "POST" ? await readOutcome(answer) : null, more = outcome && { isWritten: true };
  const match = matchOf(url) ?? matchOf(outcome?.to ?? "");
  if (!match) return more;
  const has = own.have?.[match]?.[0] ?? -1, known = Math.max(has, own.ahead?.[match] ?? -1);
  const length = Number(answer.headers.get("X-Log")?.split(":")[1] ?? (outcome ? outcome.seq ?? known + 1 : has));
  if (length <= has) return more;
  own.ahead = { ...own.ahead, [match]: Math.max(length, known) }; // more than news on their way are asked for
  await keep(own.mark, { known: { ahead: own.ahead } });
  return more ?? { isWritten: false };
}

// An answer of the server says whose browser this is, by which version it is made, how long the log of a match is.
// After what was written the news are asked for at once: the network may go the next moment.
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
  await tellChoice().catch(lose);
  if (isOther || more || now() - asked > REPOSE) event.waitUntil(after(more?.isWritten ? 0 : LULL).then(catchUp).catch(lose));
}

// What is sent is this browser's: the server takes it from nobody else, whose cookie it may have by now.
const post = (path, content) => fetch(`${SCOPE}api/v1/${path}`, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Pocket": "1", ...(own ? { "X-Browser": own.mark } : {}) },
  body: JSON.stringify(content),
  signal: AbortSignal.timeout?.(LONGEST),
});

// One at a time; who asks meanwhile gets the same.
const once = (job) => {
  let running;
  return (...words) => (running ??= job(...words).finally(() => { running = undefined; }));
};

// What others wrote, and this browser at the server: kept until the program runs, which reads it then.
const fetchNews = once(async () => {
  await know();
  for (let more = true, others = 0; more; ) {
    asked = now();
    const { mark, ahead: before = {}, have = {}, rulings } = own ?? {};
    const response = await post("pocket", { version: kit.version, have, rulings: rulings ?? "" });
    if (!response.ok) throw new Error(`no news: ${response.status}`);
    const text = await response.text(), news = JSON.parse(text);
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

async function takeNews(text, { seed, token, version, matches, gone, rulings, rulings_at: last, more }, before) {
  const ahead = Object.fromEntries(Object.entries(own.ahead ?? {}).filter(([id, length]) => more || before[id] !== length));
  const known = { seed, token, server: version, ahead, rulings: last };
  if (own.unsent || program) {
    Object.assign(own, known);
    await run((made) => made.call("take_news", text));
    return keep(own.mark, { known });
  }
  const have = { ...own.have, ...Object.fromEntries(matches.map(({ id, from, events, access }) => [id, [from + events.length, access]])) };
  for (const id of gone) delete have[id];
  if (matches.length || gone.length || rulings.length) await addNews(own.mark, text, { ...known, have });
  else await keep(own.mark, { known });
  Object.assign(own, known, { have });
}

// What was recorded without network, in order, as far as the server takes it; what others wrote meanwhile is learnt
// between two attempts.
const deliver = once(async () => {
  await know();
  try {
    await tellChoice();
    for (let left = Infinity; isReady() && !isOutdated() && own.unsent && own.unsent < left; ) {
      left = own.unsent;
      await sendAll();
      await fetchNews();
    }
  } catch {
    lose();
  }
});

async function sendAll() {
  for (let goesOn = true; goesOn; ) {
    const next = await inTurn(() => run((made) => made.call("next_delivery")));
    if (!next) return;
    const { id, path, body } = JSON.parse(next), response = await post(path, body), answer = await response.text();
    goneSince = -Infinity;
    if (response.status === 426) await registration.update().catch(() => {}); // there may be none of that version yet
    goesOn = await inTurn(() => run((made) => made.call("take_answer", id, response.status, answer)));
  }
}

// --- what pages say --------------------------------------------------------------------------------

async function heed({ data: { pocket: what }, ports: [port] }) {
  await know();
  if (what === "remove") await forget();
  if (what === "start") await makeReady(port).catch((error) => { fault = String(error); });
  if (what === "deliver") await deliver().then(() => isAhead() && catchUp()).catch(lose);
  port?.postMessage(describe());
  if (what === "status" && own?.unsent) await deliver();
}

// All that a first answer without network needs: the news, and a memory to start from.
async function makeReady(port) {
  const tell = (progress) => port?.postMessage({ progress });
  failed = -Infinity;
  await prepare();
  tell(0.5);
  await fetchNews();
  tell(0.8);
  await inTurn(() => run(() => {}));
  tell(1);
}

// Nothing is left but the files, which go with the worker.
const forget = () => inTurn(async () => {
  own = null;
  program = undefined;
  await removeAll();
});
