// Stores pages in this device, each with all the files it needs, and shows them when the network does not answer.
//
// A cache holds pages of one browser identity, made by one version of the app. Pages are shown from the
// complete cache; that of a newer version is filled beside it and replaces it once complete. If the device has the offline
// app (offline/app/worker.js), that is asked before stored pages: `self.offlineApp`.
const SCOPE = new URL("./", location.href).href;
const { pathname } = new URL(SCOPE);
const PREFIX = pathname === "/" ? "kept " : `kept:${pathname} `; // another app of the same host has caches of its own
const STATIC = `${SCOPE}static/`;
const WHOLE = `${SCOPE}whole`; // marks a cache as complete
const NETWORK_TIMEOUT = 3_000; // milliseconds until a stored page is shown instead of one that does not arrive
const FETCH_TIMEOUT = 20_000; // milliseconds until a page fetched for storing is left for another time
const MADE_TIMEOUT = 5_000; // milliseconds until a stored page is shown instead of one that the offline app is still making
const LONGEST_WAIT = 45_000; // the same if none is stored: before the browser shows a page of its own
const MAX_PAGES = 200; // pages
const SHARED = "shared"; // the cache of files that were shared with the app

/** @param {string} url */
const isPage = (url) => url !== WHOLE && !url.startsWith(STATIC);
/** @param {string} url */
const isPlaceholder = (url) => url.endsWith("/offline");
/** @param {string} mark @param {string | null} version */
const nameOf = (mark, version) => `${PREFIX}${mark} ${version}`;
/** @param {string} url */
const withoutHash = (url) => url.split("#")[0];
/** @param {number} time */
const after = (time) => new Promise((resolve) => setTimeout(resolve, time));

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (!request.url.startsWith(SCOPE)) return;
  if (request.mode === "navigate") event.respondWith(request.method === "GET" ? openPage(event) : sendForm(event));
  else if (request.method === "GET" && request.url.startsWith(STATIC)) event.respondWith(findFile(request));
  else if (self.offlineApp?.takes(request)) event.respondWith(self.offlineApp.answerScript(event, isSilent));
});

// `seen`: a page was opened before the worker was there; `forget`: delete everything. The page gets an answer when it is done.
addEventListener("message", (event) => {
  const { seen, forget } = event.data;
  if (!seen && !forget) return;
  const done = forget ? Promise.all([forgetPages(), self.offlineApp?.forget()]) : keepSeen(seen).catch(() => work);
  event.waitUntil(done.then(() => event.ports[0]?.postMessage("done")));
});

// --- what is shown ---------------------------------------------------------------------------------

// Opens a page, waiting no longer than is bearable: the offline app may have to start first, which is slow on a slow device.
/** @param {FetchEvent} event */
async function openPage(event) {
  const { request } = event, { offlineApp } = self, stored = findPage(request.url), opened = findAnswer(event, stored);
  if (!offlineApp) return opened;
  let isLate = false;
  event.waitUntil(opened.then(async () => {
    if (isLate) await notifyPages({ late: withoutHash(request.url) });
  }, () => {}));
  const showOther = async () => {
    await after(MADE_TIMEOUT);
    const cached = await stored;
    if (!cached) await after(LONGEST_WAIT - MADE_TIMEOUT);
    if (!offlineApp.isReady()) return opened;
    isLate = true;
    return cached ? showCached(request, cached, "data-late") : showPlaceholder(request);
  };
  return Promise.race([opened, showOther()]);
}

/** @param {object} message */
async function notifyPages(message) {
  for (const page of await clients.matchAll({ type: "window" })) page.postMessage(message);
}

// Answers with the server's page, else with that of the offline app, else with the stored one.
/** @param {FetchEvent} event @param {ReturnType<typeof findPage>} stored */
async function findAnswer(event, stored) {
  const { request } = event, { offlineApp } = self, since = Date.now();
  const own = await offlineApp?.answerFirst(event);
  if (own) return own;
  const asked = fetch(request).then((answer) => {
    if (answer.headers.has("X-Version")) event.waitUntil(takeIn(request.url, answer.clone(), since));
    return answer;
  });
  event.waitUntil(asked.then((answer) => offlineApp?.onAnswer(event, answer), () => offlineApp?.markOffline()));
  const cached = await stored, hasOther = Boolean(cached) || Boolean(offlineApp?.isReady());
  try {
    const answer = await (hasOther ? inTime(asked) : asked);
    if (answer && !isSilent(answer, hasOther)) return offlineApp ? await offlineApp.markLacking(request, answer) : answer;
  } catch {
    // no network
  }
  return (await offlineApp?.answer(event)) ?? showCached(request, cached);
}

/** @param {Promise<Response>} asked */
const inTime = (asked) => Promise.race([whole(asked), after(self.offlineApp?.patience() ?? NETWORK_TIMEOUT)]);

/** @param {Request} request @param {Response | undefined} cached */
async function showCached(request, cached, attribute = "") {
  if (cached) return mark(cached.clone(), `data-kept="${cached.headers.get("X-Kept")}"${attribute && ` ${attribute}`}`);
  return (await self.offlineApp?.makePlaceholder(request)) ?? showPlaceholder(request);
}

// True if only a proxy or a captive portal has answered, or the app that it cannot.
/** @param {Response} answer @param {boolean} [hasOther] whether there is something to show instead */
function isSilent(answer, hasOther = false) {
  const isOfApp = answer.headers.has("X-Version") || answer.type === "opaqueredirect", isDown = [502, 503, 504].includes(answer.status);
  return hasOther ? !isOfApp || isDown : !isOfApp && isDown;
}

// Waits until all of an answer has arrived.
/** @param {Promise<Response>} asked */
async function whole(asked) {
  const answer = await asked;
  if (answer.body) await answer.clone().arrayBuffer();
  return answer;
}

// Sends a form that no script sends, such as one that changes the identity of this browser.
/** @param {FetchEvent} event */
async function sendForm(event) {
  const { request } = event;
  if (request.url.endsWith("/import/shared")) return takeShared(request);
  if (request.url.includes("/browser/")) await forgetPages();
  try {
    const answer = await (self.offlineApp ? self.offlineApp.answerScript(event, isSilent) : fetch(request));
    if (!isSilent(answer)) return answer;
  } catch {
    // no network
  }
  return showPlaceholder(request, "data-unsent");
}

// Stores files that were shared with the app until the import form takes them.
/** @param {Request} request */
async function takeShared(request) {
  const files = (await request.formData()).getAll("file");
  await caches.delete(SHARED);
  const cache = await caches.open(SHARED);
  for (const [n, file] of /** @type {File[]} */ (files).entries()) {
    const headers = { "X-Name": encodeURIComponent(file.name), "Content-Type": file.type };
    await cache.put(`${SCOPE}shared/${n}`, new Response(file, { headers }));
  }
  return Response.redirect(request.url.replace("/shared", ""), 303);
}

/** @param {Request} request */
async function findFile(request) {
  return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request);
}

/** @param {string} url */
async function findPage(url) {
  const shown = await findShown();
  if (!shown) return undefined;
  const address = withoutHash(url), exact = await shown.match(address), plain = await shown.match(address.split("?")[0]);
  if (plain?.headers.get("X-Keep") !== "path") return exact;
  return exact && logOf(exact) >= logOf(plain) ? exact : plain;
}

// The length of the match's log when the page was stored.
/** @param {Response} page */
const logOf = (page) => Number(page.headers.get("X-Log")?.split(":")[1]);

/** @param {Request} request */
async function showPlaceholder(request, attribute = "") {
  const shown = await findShown();
  const pages = (await shown?.keys())?.filter(({ url }) => isPage(url)) ?? [], placeholders = pages.filter(({ url }) => isPlaceholder(url));
  /** @param {string | null} language */
  const inLanguage = (language) => placeholders.find(({ url }) => url === `${SCOPE}${language}/offline`);
  const fitting = inLanguage(request.url.slice(SCOPE.length).split("/")[0]) ?? inLanguage(await readLanguage(shown, pages)) ?? placeholders[0];
  const placeholder = fitting && (await shown?.match(fitting));
  return placeholder ? mark(placeholder, attribute, 503) : Response.error();
}

// The language of this device, as the server announced it with the page stored last.
/** @param {Cache | undefined} shown @param {readonly Request[]} pages */
async function readLanguage(shown, pages) {
  const newest = pages.at(-1), last = newest && (await shown?.match(newest));
  return new URLSearchParams(last?.headers.get("X-Chosen") ?? "").get("lang");
}

/** @param {Response} page @param {string} attribute */
async function mark(page, attribute, status = page.status) {
  if (page.status >= 300) return page; // it leads to another page
  const text = (await page.text()).replace("<html", `<html ${attribute}`);
  return new Response(text, { status, headers: page.headers });
}

// --- the caches ------------------------------------------------------------------------------------

/** @type {{mark: string | null, since: number}} */
let known = { mark: null, since: 0 }; // the identity of this browser, and when the request was made that first had it

const findNames = async () => (await caches.keys()).filter((name) => name.startsWith(PREFIX));

async function findShown() {
  let shown;
  for (const name of await findNames()) {
    if (known.mark && !name.startsWith(nameOf(known.mark, ""))) continue;
    const cache = await caches.open(name);
    if (await cache.match(WHOLE)) shown = cache;
  }
  return shown;
}

/** @param {(name: string) => boolean} isGone */
async function deleteCaches(isGone) {
  for (const name of await findNames()) if (isGone(name)) await caches.delete(name);
}

// Deletes cached pages and drops pending ones; placeholders stay.
async function forgetPages() {
  known = { mark: null, since: Date.now() };
  await caches.delete(SHARED);
  for (const name of await findNames()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) if (isPage(url) && !isPlaceholder(url)) await cache.delete(url);
  }
}

/** @param {Response} answer */
const isOurs = (answer) => answer.headers.get("X-Browser") === known.mark;

// Adopts the identity of an answer and deletes the pages of any other; false if the answer is older than the identity.
/** @param {Response} answer @param {number} since */
async function adoptIdentity(answer, since) {
  const mark = answer.headers.get("X-Browser");
  if (!mark || since < known.since) return false;
  if (mark !== known.mark) {
    known = { mark, since };
    await deleteCaches((name) => !name.startsWith(nameOf(mark, "")));
  }
  return true;
}

// Jobs run one after another.
let work = Promise.resolve();
/** @param {() => Promise<void>} job */
const inTurn = (job) => (work = work.then(job).catch(() => {})); // what fails is tried again with the next page

/** @param {string} url @param {Response} answer @param {number} since */
async function takeIn(url, answer, since) {
  const isKnown = await adoptIdentity(answer, since);
  if (isKnown) await inTurn(() => keepAnswer(withoutHash(url), answer));
}

/** @param {string} url */
async function keepSeen(url) {
  const since = Date.now();
  await takeIn(url, await ask(url), since);
}

// An answer that never arrives must not block those after it.
const limit = () => AbortSignal.timeout?.(FETCH_TIMEOUT);
/** @param {Promise<string>} read */
const withinLimit = (read) => Promise.race([read, after(FETCH_TIMEOUT).then(() => { throw new Error("its end did not come"); })]);
/** @param {string} url */
const ask = (url) => fetch(url, { headers: { "X-Keep": "1" }, priority: "low", signal: limit() });

/** @param {string} address @param {Response} answer */
async function keepAnswer(address, answer) {
  const mark = answer.headers.get("X-Browser"), version = answer.headers.get("X-Version");
  if (!mark || !version || !isOurs(answer)) return;
  const cache = await caches.open(nameOf(mark, version));
  try {
    if (answer.headers.has("X-Keep")) await keepPage(cache, address, answer);
    else if ([403, 404, 410].includes(answer.status)) await cache.delete(address);
    await replaceOlder(cache, mark, version);
    await keepBeside(cache, answer);
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "QuotaExceededError") throw error;
    await trim(cache, MAX_PAGES / 2);
  }
}

// Stores what goes with a page: pages that change with the match's log, and those that are not stored yet.
/** @param {Cache} cache @param {Response} answer */
async function keepBeside(cache, answer) {
  const log = answer.headers.get("X-Log");
  /** @param {string} list */
  const named = (list) => (answer.headers.get(list) ?? "").split(" ").filter(Boolean).map((path) => new URL(path, SCOPE).href);
  for (const address of named("X-Keep-Anew")) {
    const stored = await cache.match(address);
    if (stored?.headers.get("X-Log") !== log) await fetchPage(cache, address, answer, log);
  }
  for (const address of named("X-Keep-Once")) {
    if (!(await cache.match(address))) await fetchPage(cache, address, answer);
  }
}

// Makes this cache the one that is shown: the first at once, a later one when it has all pages of the one before.
/** @param {Cache} cache @param {string} mark @param {string} version */
async function replaceOlder(cache, mark, version) {
  const shown = await findShown();
  const isWhole = Boolean(shown) && Boolean(await cache.match(WHOLE));
  if (shown && !isWhole) {
    const like = new Response(null, { headers: { "X-Browser": mark, "X-Version": version } });
    for (const { url } of await shown.keys()) {
      if (isPage(url) && !(await cache.match(url))) await fetchPage(cache, url, like);
    }
  }
  if (!isWhole) await cache.put(WHOLE, new Response());
  await deleteCaches((name) => name !== nameOf(mark, version));
}

// --- one page --------------------------------------------------------------------------------------

// Fetches a page to store it beside another of the same identity and version.
/** @param {Cache} cache @param {string} address @param {Response} beside @param {string | null} [log] */
async function fetchPage(cache, address, beside, log) {
  const answer = await ask(address);
  const isAlike = ["X-Browser", "X-Version"].every((name) => answer.headers.get(name) === beside.headers.get(name));
  if (!isAlike || !isOurs(answer) || answer.status >= 500) throw new Error(`no page ${address}`);
  if (answer.redirected) await cache.put(address, new Response(null, { status: 302, headers: keptHeaders(answer, log, { Location: answer.url }) }));
  else if (answer.headers.has("X-Keep")) await keepPage(cache, address, answer, log);
  else await cache.delete(address);
}

/** @param {Cache} cache @param {string} address @param {Response} answer @param {string | null} [log] */
async function keepPage(cache, address, answer, log) {
  const text = (await withinLimit(answer.text())).replace(/<!--once-->[^]*?<!--\/once-->/g, "");
  await keepFiles(cache, filesOf(text, address, answer.headers.get("X-Version")));
  if (!isOurs(answer)) throw new Error("another identity by now");
  await cache.put(address, new Response(text, { headers: keptHeaders(answer, log) }));
  await trim(cache, MAX_PAGES);
}

/** @param {Response} answer @param {string | null} [log] */
function keptHeaders(answer, log, more = {}) {
  const headers = new Headers(answer.headers);
  for (const name of ["Vary", "Content-Encoding", "Content-Length"]) headers.delete(name);
  if (log) headers.set("X-Log", log);
  for (const [name, value] of Object.entries({ "X-Kept": new Date().toISOString(), ...more })) headers.set(name, value);
  return headers;
}

// The files of its own version that a page names.
/** @param {string} text @param {string} address @param {string | null} version */
function filesOf(text, address, version) {
  const files = [...text.matchAll(/["']([^"'\s]*\/static\/[^"'?#\s]+)/g)].map(([, path]) => new URL(path, address).href);
  return files.filter((file) => file.startsWith(`${STATIC}${version}/`));
}

// Stores each file after those that it imports, so that a stored file is complete.
/** @param {Cache} cache @param {string[]} files */
async function keepFiles(cache, files, seen = new Set()) {
  for (const file of files) {
    if (seen.has(file) || (await cache.match(file))) continue;
    seen.add(file);
    const answer = await fetch(file, { signal: limit() });
    if (!answer.ok || answer.headers.get("Cache-Control")?.includes("no-store")) throw new Error(`no file ${file}`);
    const text = file.endsWith(".js") ? await answer.clone().text() : "";
    const imported = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)].map(([, path]) => new URL(path, file).href);
    await keepFiles(cache, imported, seen);
    await cache.put(file, answer);
  }
}

/** @param {Cache} cache @param {number} most */
async function trim(cache, most) {
  const pages = (await cache.keys()).filter(({ url }) => isPage(url) && !isPlaceholder(url));
  for (const page of pages.slice(0, Math.max(0, pages.length - most))) await cache.delete(page);
}
