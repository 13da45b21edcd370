// News: what the server says of this browser (its identity, version and display settings) and what others wrote meanwhile.
import { currentBrowser, device, inTurn, isOutdated, isRunning, notifyPages, now, once, readDevice, RETRY_DELAY, run, SCOPE, stopProgram } from "./program.js";
import { addNews, changeBrowser, keep } from "./rows.js";
/** @import { Browser, News } from "../types.js" */

const POST_TIMEOUT = 60_000; // milliseconds until a request without an answer is given up: others wait behind it

// --- this browser ----------------------------------------------------------------------------------

// Makes this the browser with that mark; nothing of another identity is shown any more.
/** @param {string} mark */
export const adoptIdentity = (mark) => inTurn(async () => {
  if (device.browser?.mark === mark) return;
  device.browser = await changeBrowser(mark);
  stopProgram();
  await notifyPages();
});

// Notes the version of the server. If it is another one, the offline app is fetched again in the background, and writes
// nothing until then.
/** @param {string} version */
export async function adoptVersion(version) {
  const { browser } = device;
  if (browser && browser.server !== version) {
    browser.server = version;
    await keep(browser.mark, { known: { server: version } });
    stopProgram(); // it reads the version when it starts
  }
  if (isOutdated()) await registration.update().catch(() => {});
}

// Adopts the server's display settings (language, paper), which are in cookies that only the server reads.
/** @param {string | null} shown */
export async function adoptChoice(shown) {
  const { browser } = device;
  if (!browser || !shown || browser.shown === shown) return;
  browser.shown = shown;
  await keep(browser.mark, { known: { shown } });
  if (isRunning()) await inTurn(() => run((started) => started.call("choose", shown)));
}

// --- requests for data -----------------------------------------------------------------------------

// Posts JSON under the mark of this browser: the server refuses it if the cookie is another's by now. A browser that was
// signed out becomes nobody: it gets the server's pages, which say how to come back, and what is unsent stays until then.
/** @param {string} path @param {object} content */
export async function post(path, content) {
  const { browser } = device;
  const answer = await fetch(`${SCOPE}offline/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Pocket": "1", ...(browser ? { "X-Browser": browser.mark } : {}) },
    body: JSON.stringify(content),
    signal: AbortSignal.timeout?.(POST_TIMEOUT),
  });
  if (isSignedOut(answer)) await adoptIdentity("nobody");
  return answer;
}

/** @param {Response} answer */
export const isSignedOut = ({ status }) => status === 401;

// --- what others wrote -----------------------------------------------------------------------------

let asked = -Infinity; // when news were requested last
export const isNewsDue = () => now() - asked > RETRY_DELAY;

// Fetches what others wrote, and all of this browser's that is at the server; stored until the program runs and reads it.
export const fetchNews = once(async () => {
  await readDevice();
  for (let more = true, others = 0; more; ) {
    asked = now();
    const { mark = null, ahead: before = {}, have = {}, rulings } = /** @type {Partial<Browser>} */ (device.browser ?? {});
    const { version } = device.kit, response = await post("news", { version, have, rulings: rulings ?? "" });
    if (isSignedOut(response)) return;
    if (!response.ok) throw new Error(`no news: ${response.status}`);
    const text = await response.text(), news = /** @type {News} */ (JSON.parse(text));
    if (news.version !== version) return adoptVersion(news.version);
    if (news.me !== mark) {
      if (++others > 2) throw new Error("this browser is another one each time: it keeps no cookie");
      await adoptIdentity(news.me);
      continue; // it has other matches
    }
    more = news.more;
    await inTurn(() => takeNews(text, news, before));
  }
});

export const isAhead = () => Object.keys(device.browser?.ahead ?? {}).length > 0;

// Fetches news up to what the server is known to have: those that were on their way already may be older.
export async function catchUp() {
  await fetchNews();
  if (isAhead()) await fetchNews();
}

/** @param {string} text @param {News} news @param {Record<string, number>} before */
async function takeNews(text, { seed, token, version, matches, gone, rulings, rulings_at: last, more }, before) {
  const browser = currentBrowser();
  const ahead = Object.fromEntries(Object.entries(browser.ahead ?? {}).filter(([id, length]) => more || before[id] !== length));
  const known = { seed, token, server: version, ahead, rulings: last };
  if (browser.unsent || isRunning()) {
    Object.assign(browser, known);
    await run((started) => started.call("take_news", text));
    return keep(browser.mark, { known });
  }
  const have = { ...browser.have };
  for (const { id, from, events, access } of matches) have[id] = [from + events.length, access];
  for (const id of gone) delete have[id];
  if (matches.length || gone.length || rulings.length) await addNews(browser.mark, text, { ...known, have });
  else await keep(browser.mark, { known });
  Object.assign(browser, known, { have });
}
