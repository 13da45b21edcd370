// The database of the offline app (IndexedDB): rows of its store, unread news, and what is known of each browser. All keys
// begin with a browser's mark; a write is on the disk when its promise resolves. Worker and pages both use it.
/** @import { Browser, Known, Place, Row } from "../types.js" */
/** @typedef {[mark: string, name: string]} MetaKey */
/** @typedef {[mark: string, number: number]} NewsKey */
const NAME = `pocket:${new URL("../../../../", import.meta.url).pathname}`;
const STORES = ["rows", "meta", "news"];
const TIMEOUT = 20_000; // milliseconds until a disk that does not answer counts as failed
/** @type {Promise<IDBDatabase> | undefined} */
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

/** @template T @param {IDBRequest} request @returns {Promise<T>} */
const asPromise = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// Runs a job in one transaction: all of it is written, or nothing.
/** @template T @typedef {(rows: IDBObjectStore, meta: IDBObjectStore, news: IDBObjectStore) => T | Promise<T>} Job */
/** @template T @param {IDBTransactionMode} mode @param {Job<T>} job @returns {Promise<T>} */
async function transact(mode, job) {
  const transaction = (await openDatabase()).transaction(STORES, mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
  const [rows, meta, news] = STORES.map((name) => transaction.objectStore(name));
  const doing = (async () => job(rows, meta, news))();
  doing.catch(() => { try { transaction.abort(); } catch { /* it has ended by itself */ } });
  const [result] = await Promise.all([doing, done]);
  return result;
}

/** @template T @param {IDBTransactionMode} mode @param {Job<T>} job @returns {Promise<T>} */
function work(mode, job) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  /** @type {Promise<never>} */
  const late = new Promise((_resolve, reject) => { timer = setTimeout(() => reject(new Error("the disk does not answer")), TIMEOUT); });
  return Promise.race([transact(mode, job), late]).finally(() => clearTimeout(timer));
}

/** @param {string} mark */
const allOf = (mark) => IDBKeyRange.bound([mark], [mark, []]); // an array is behind all texts and numbers

// The keys and values of a store, of one browser or of all.
/** @template K, V @param {IDBObjectStore} store @param {string} [mark] @returns {Promise<[K[], V[]]>} */
const readAll = (store, mark) => {
  const range = mark ? allOf(mark) : undefined;
  return Promise.all([asPromise(store.getAllKeys(range)), asPromise(store.getAll(range))]);
};

// The stored identity, or null.
export const readBrowser = () => work("readonly", async (_rows, meta) => {
  const mark = /** @type {string | undefined} */ (await asPromise(meta.get(["", "mark"])));
  return mark ? readMeta(meta, mark) : null;
});

/** @param {IDBObjectStore} meta @param {string} mark @returns {Promise<Browser>} */
async function readMeta(meta, mark) {
  const [keys, values] = /** @type {[MetaKey[], unknown[]]} */ (await readAll(meta, mark));
  return { mark, ...Object.fromEntries(keys.map(([, name], n) => [name, values[n]])) };
}

// Stores that this is the browser with that mark; returns what is known of it.
/** @param {string} mark */
export const changeBrowser = (mark) => work("readwrite", (_rows, meta) => {
  meta.put(mark, ["", "mark"]);
  return readMeta(meta, mark);
});

// All rows of a browser, as place and value; its unread news, oldest first, and the number of the last.
/** @param {string} mark */
export const readRows = (mark) => work("readonly", async (rows, _meta, news) => {
  const [[places, values], [numbers, texts]] = /** @type {[[[string, ...Place][], unknown[]], [NewsKey[], string[]]]} */ (
    await Promise.all([readAll(rows, mark), readAll(news, mark)]));
  /** @type {Row[]} */
  const found = places.map(([, ...place], n) => [place, values[n]]);
  return { rows: found, news: texts, last: numbers.at(-1)?.[1] ?? 0 };
});

/** @param {IDBObjectStore} meta @param {string} mark @param {Known} known */
const putKnown = (meta, mark, known) => {
  for (const [name, value] of Object.entries(known)) meta.put(value, [mark, name]);
};

// Stores changed rows and what is known by name, and deletes news up to the `last` that was read.
/** @param {string} mark @param {{rows?: Row[], known?: Known, last?: number}} change */
export const keep = (mark, { rows: changed = [], known = {}, last = 0 }) => work("readwrite", (rows, meta, news) => {
  for (const [place, value] of changed) {
    if (value === null) rows.delete([mark, ...place]);
    else rows.put(value, [mark, ...place]);
  }
  putKnown(meta, mark, known);
  if (last) news.delete(IDBKeyRange.bound([mark, 0], [mark, last]));
});

// Stores news for the program to read when it starts, and what is known from them.
/** @param {string} mark @param {string} text @param {Known} known */
export const addNews = (mark, text, known) => work("readwrite", async (_rows, meta, news) => {
  const numbers = /** @type {NewsKey[]} */ (await asPromise(news.getAllKeys(allOf(mark))));
  news.put(text, [mark, (numbers.at(-1)?.[1] ?? 0) + 1]);
  putKnown(meta, mark, known);
});

// Counts the entries that would be lost with the database, or with one browser's part of it: unsent ones and conflicts.
/** @param {string} [mark] */
export const countLosses = (mark) => work("readonly", async (_rows, meta) => {
  const [keys, values] = /** @type {[MetaKey[], unknown[]]} */ (await readAll(meta, mark));
  return values.reduce((/** @type {number} */ sum, count, n) => sum + (["unsent", "aside"].includes(keys[n][1]) ? Number(count) : 0), 0);
});

export const removeAll = () => work("readwrite", (...stores) => { for (const store of stores) store.clear(); });
