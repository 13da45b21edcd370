// The server: requests are passed on to it while there is a network, and what was recorded without one is sent to it.
import { findChoice, isOfApp, readOutcome } from "./answers.js";
import { adoptChoice, adoptIdentity, adoptVersion, catchUp, fetchNews, isNewsDue, isSignedOut, post } from "./news.js";
import { after, answer, currentBrowser, device, inTurn, isOutdated, isReady, matchOf, notifyPages, now, once, readDevice, ROOT, run, SCOPE } from "./program.js";
import { keep } from "./rows.js";
/** @import { Browser, Fetch, Outgoing } from "../types.js" */

const NETWORK_TIMEOUT = 3_000; // milliseconds until the program answers instead of a network that may be there
const SHORT_TIMEOUT = 500; // the same if there was none a moment ago
const LOSS_REMEMBERED = 15_000; // for how long that is so
const NEWS_DELAY = 500; // milliseconds after a page that tells of more until news are fetched
const OWN = /^\w+\/(?:m\/[\w-]+\/)?pocket\//; // pages about what is not at the server yet

let goneSince = -Infinity;
export const markOffline = () => { goneSince = now(); };
const markOnline = () => { goneSince = -Infinity; };
export const isGone = () => navigator.onLine === false || now() - goneSince < LOSS_REMEMBERED;
export const patience = () => (isGone() ? SHORT_TIMEOUT : NETWORK_TIMEOUT);

// --- requests --------------------------------------------------------------------------------------

/** @param {Request} request */
const placeOf = ({ url }) => new URL(url).pathname.slice(ROOT.length + 1);
/** @param {Request} request */
const isOwn = (request) => OWN.test(placeOf(request));

/** @type {WeakSet<Request>} */
const lacking = new WeakSet(); // requests that the server answers while something is not there yet

// Answers before the server is asked, while something is unsent that the server's page would lack: that is sent first, or
// the program answers. Null if the server can answer, or the program cannot.
/** @param {Fetch} event @param {ArrayBuffer} [body] */
export async function answerFirst(event, body) {
  await readDevice();
  if (isOwn(event.request)) return answer(event, body);
  if (!device.browser?.unsent) return null;
  if (isReady()) {
    const sent = deliver();
    event.waitUntil(sent);
    if (!isGone()) await Promise.race([sent, after(NETWORK_TIMEOUT)]);
    if (!device.browser.unsent) return null;
  }
  const given = await answer(event, body);
  if (!given) lacking.add(event.request);
  return given;
}

// Marks the server's page of a match, or its list of matches, that lacks what is unsent because the program failed.
/** @param {Request} request @param {Response} page of the server */
export async function markLacking(request, page) {
  const isPage = page.headers.get("Content-Type")?.startsWith("text/html") && /^\w+\/(?:m\/|$)/.test(placeOf(request));
  if (!isPage || !page.ok || !lacking.has(request)) return page;
  const { status, headers } = page, text = (await page.text()).replace("<html", "<html data-lacking");
  return new Response(text, { status, headers });
}

// Answers a script: the server's answer, or the program's if there is no network.
/** @param {Fetch} event @param {(answer: Response) => boolean} isSilent */
export async function answerScript(event, isSilent) {
  const { request } = event, body = request.method === "POST" ? await request.clone().arrayBuffer() : undefined;
  const first = await answerFirst(event, body);
  if (first) return first;
  const arriving = fetch(request), recorded = arriving.then((arrived) => recordWrite(request, arrived)).catch(() => null);
  event.waitUntil(arriving.then((arrived) => onAnswer(event, arrived, recorded), markOffline));
  try {
    const arrived = await (isReady() ? Promise.race([arriving, after(patience())]) : arriving);
    if (arrived && !isSilent(arrived)) {
      if (body) await recorded;
      return await markLacking(request, arrived);
    }
  } catch {
    // no network
  }
  return (await answer(event, body)) ?? arriving;
}

// --- its answers -----------------------------------------------------------------------------------

// Records that the server has more of a match than the program: null if it has not, else whether a form was the cause.
// It is on the disk before anybody learns that something was written, so that the program never shows the match without
// it. A new match is named by where the form led.
/** @param {Request} request @param {Response} arrived @returns {Promise<{isWritten: boolean} | null>} */
async function recordWrite({ url, method }, arrived) {
  await readDevice();
  if (!device.browser || !isOfApp(arrived)) return null;
  const outcome = method === "POST" ? await readOutcome(arrived) : null, more = outcome && { isWritten: true };
  const match = matchOf(url) ?? matchOf(outcome?.to ?? "");
  if (!match) return more;
  const hasMore = await recordLength(device.browser, match, arrived, outcome);
  return more ?? (hasMore ? { isWritten: false } : null);
}

// True if the server has more of a match than is here; how much is recorded.
/** @param {Browser} browser @param {string} match @param {Response} arrived @param {Awaited<ReturnType<typeof readOutcome>>} outcome */
async function recordLength(browser, match, arrived, outcome) {
  const { has, known } = lengthsOf(browser, match);
  const length = readLength(arrived) ?? outcome?.seq ?? (outcome ? known + 1 : has);
  if (length <= has) return false;
  browser.ahead = { ...browser.ahead, [match]: Math.max(length, known) }; // more than news on their way are asked for
  await keep(browser.mark, { known: { ahead: browser.ahead } });
  return true;
}

// The length of a match's log here, and the length that the server is known to have.
/** @param {Browser} browser @param {string} match */
function lengthsOf({ have, ahead }, match) {
  const has = have?.[match]?.[0] ?? -1;
  return { has, known: Math.max(has, ahead?.[match] ?? -1) };
}

// The length of the match's log, as a page of it says.
/** @param {Response} page */
const readLength = (page) => {
  const length = page.headers.get("X-Log")?.split(":")[1];
  return length === undefined ? undefined : Number(length);
};

// Reads what an answer of the server says: identity, version, display settings, length of the match's log. After something
// was written news are fetched at once: the network may be lost the next moment.
/** @param {Fetch} event @param {Response} arrived @param {ReturnType<typeof recordWrite>} [recorded] */
export async function onAnswer(event, arrived, recorded = recordWrite(event.request, arrived)) {
  if (!isOfApp(arrived)) return;
  markOnline();
  await readDevice();
  if (!device.browser) return;
  const more = await recorded, mark = arrived.headers.get("X-Browser"), version = arrived.headers.get("X-Version");
  if (version) await adoptVersion(version);
  const isOther = mark && mark !== device.browser.mark;
  if (isOther) await adoptIdentity(mark);
  await adoptChoice(arrived.headers.get("X-Chosen"));
  await sendChoice().catch(markOffline);
  if (isOther || more || isNewsDue()) event.waitUntil(after(more?.isWritten ? 0 : NEWS_DELAY).then(catchUp).catch(markOffline));
}

// --- what is unsent --------------------------------------------------------------------------------

// Sends the display settings that were chosen here without network, as pages send them.
async function sendChoice() {
  const choice = isReady() && findChoice(currentBrowser());
  if (!choice) return;
  const arrived = await fetch(SCOPE + choice.path, { headers: { "X-Script": "1" }, referrer: SCOPE + choice.from });
  await adoptChoice(arrived.headers.get("X-Chosen"));
}

// Sends what was recorded without network, in order, as far as the server takes it; between two attempts it fetches what
// others wrote meanwhile.
export const deliver = once(async () => {
  await readDevice();
  try {
    await sendChoice();
    for (let left = Infinity; isReady() && !isOutdated() && device.browser?.unsent && device.browser.unsent < left; ) {
      left = device.browser.unsent;
      await sendAll();
      await fetchNews();
    }
  } catch {
    if (isReady()) markOffline();
  }
  if (device.browser?.unsent && !isReady() && !isOutdated()) await sendLeft().catch(markOffline);
});

async function sendAll() {
  for (let goesOn = true; goesOn; ) {
    const next = await inTurn(() => run((started) => started.call("next_delivery")));
    if (!next) return;
    const { id, path, body } = JSON.parse(next), response = await post(path, body), text = await response.text();
    markOnline();
    if (isSignedOut(response)) return;
    if (response.status === 426) await registration.update().catch(() => {}); // there may be none of that version yet
    goesOn = await inTurn(() => run((started) => started.call("take_answer", id, response.status, text)));
  }
}

// Sends the deliveries that a program left which does not start any more; imported matches, which are in none, stay unsent.
// When it starts again it sends all of it, and reads then what else the server has said.
const sendLeft = once(async () => {
  const browser = currentBrowser(), { outgoing = [] } = browser;
  /** @type {Outgoing[]} */
  const left = [];
  let unsent = browser.unsent ?? 0;
  for (const sent of outgoing) {
    const { ok } = await post(sent.path, sent.body);
    markOnline();
    if (ok) unsent -= sent.count;
    else left.push(sent);
  }
  if (left.length === outgoing.length || browser.outgoing !== outgoing) return;
  const known = { outgoing: left, unsent };
  Object.assign(browser, known);
  await keep(browser.mark, { known });
  await notifyPages();
});
