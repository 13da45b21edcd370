// What the pocket keeps, in IndexedDB: rows of the store, news that wait to be read, and what is known of each browser.
// All keys begin with a browser's mark; what is written is on the disk when it is done. Worker and pages read it alike.
const NAME = `pocket:${new URL("../../../", import.meta.url).pathname}`;
const STORES = ["rows", "meta", "news"];
const PATIENCE = 20_000; // milliseconds until a disk that says nothing has failed: who waits for it is answered otherwise
let opened;

function openDatabase() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => {
      request.result.onversionchange = () => { request.result.close(); opened = undefined; };
      request.result.onclose = () => { opened = undefined; };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => { opened = undefined; });
  return opened;
}

const asPromise = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// All of a job is written, or nothing of it.
async function transact(mode, job) {
  const transaction = (await openDatabase()).transaction(STORES, mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
  const doing = (async () => job(...STORES.map((name) => transaction.objectStore(name))))();
  doing.catch(() => { try { transaction.abort(); } catch { /* it has ended by itself */ } });
  const [result] = await Promise.all([doing, done]);
  return result;
}

function work(mode, job) {
  let timer;
  const late = new Promise((_resolve, reject) => { timer = setTimeout(() => reject(new Error("the disk does not answer")), PATIENCE); });
  return Promise.race([transact(mode, job), late]).finally(() => clearTimeout(timer));
}

const allOf = (mark) => IDBKeyRange.bound([mark], [mark, []]); // an array is behind all texts and numbers

// Whose browser this is: what is known of it by name; null where nothing is yet.
export const readBrowser = () => work("readonly", async (_rows, meta) => {
  const mark = await asPromise(meta.get(["", "mark"]));
  return mark ? readMeta(meta, mark) : null;
});

async function readMeta(meta, mark) {
  const [keys, values] = await Promise.all([asPromise(meta.getAllKeys(allOf(mark))), asPromise(meta.getAll(allOf(mark)))]);
  return { mark, ...Object.fromEntries(keys.map(([, name], n) => [name, values[n]])) };
}

// From now on this is the browser with that mark; gives what is known of it.
export const changeBrowser = (mark) => work("readwrite", (_rows, meta) => {
  meta.put(mark, ["", "mark"]);
  return readMeta(meta, mark);
});

// All rows of a browser, each a place and a value; and its news, the oldest first, with the number of the last.
export const readRows = (mark) => work("readonly", async (rows, _meta, news) => {
  const [places, values, numbers, told] = await Promise.all([
    asPromise(rows.getAllKeys(allOf(mark))), asPromise(rows.getAll(allOf(mark))),
    asPromise(news.getAllKeys(allOf(mark))), asPromise(news.getAll(allOf(mark))),
  ]);
  return { rows: places.map(([, ...place], n) => [place, values[n]]), news: told, last: numbers.at(-1)?.[1] ?? 0 };
});

// Keeps rows that have changed, what is known by name, and lets go of news up to the `last` that was read.
export const keep = (mark, { rows: changed = [], known = {}, last = 0 }) => work("readwrite", (rows, meta, news) => {
  for (const [place, value] of changed) {
    if (value === null) rows.delete([mark, ...place]);
    else rows.put(value, [mark, ...place]);
  }
  for (const [name, value] of Object.entries(known)) meta.put(value, [mark, name]);
  if (last) news.delete(IDBKeyRange.bound([mark, 0], [mark, last]));
});

// Keeps news that nobody has read yet, with what is known by them.
export const addNews = (mark, one, known) => work("readwrite", async (_rows, meta, news) => {
  const numbers = await asPromise(news.getAllKeys(allOf(mark)));
  news.put(one, [mark, (numbers.at(-1)?.[1] ?? 0) + 1]);
  for (const [name, value] of Object.entries(known)) meta.put(value, [mark, name]);
});

// What would be lost with all of this, or with what is one browser's: entries that no server has, or that wait for a decision.
export const countLosses = (mark) => work("readonly", async (_rows, meta) => {
  const which = mark && allOf(mark);
  const [keys, values] = await Promise.all([asPromise(meta.getAllKeys(which)), asPromise(meta.getAll(which))]);
  const counted = values.filter((_value, n) => ["unsent", "aside"].includes(keys[n][1]));
  return counted.reduce((sum, count) => sum + count, 0);
});

export const removeAll = () => work("readwrite", (...stores) => { for (const one of stores) one.clear(); });
