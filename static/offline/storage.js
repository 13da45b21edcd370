// The database of pages: drafts, waiting entries, the last entry written in each match. Writes go through to the disk.
/** @import { Stores } from "./types.js" */
/** @type {Promise<IDBDatabase> | undefined} */
let opened;

// The path below which the app is: an app on another path has stores of its own.
export const below = new URL("../../../", import.meta.url).pathname;
/** @param {string} name */
const own = (name) => (below === "/" ? name : `${name}:${below}`);

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const asPromise = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function openDatabase() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(own("companion"), 1);
    request.onupgradeneeded = () => {
      recordLoss("waiting");
      request.result.createObjectStore("drafts", { keyPath: "key" });
      request.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
      request.result.createObjectStore("written", { keyPath: "key" });
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => { request.result.close(); opened = undefined; };
      request.result.onclose = () => { opened = undefined; }; // by the browser: for lack of space, or it lost its files
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
  opened.catch(() => { opened = undefined; });
  return opened;
}

// Runs one request on a store. Fails if nothing can be stored: private windows of some browsers, a full disk.
/**
 * @template T
 * @param {keyof Stores} name
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 */
async function withStore(name, mode, work) {
  const database = await openDatabase();
  const transaction = database.transaction(name, mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
  const request = asPromise(work(transaction.objectStore(name)));
  transaction.commit(); // at once: the page may be about to be left
  const [result] = await Promise.all([request, done]);
  return result;
}

/** @template {keyof Stores} N @param {N} name @param {Stores[N] | Omit<Stores[N], "id">} value @returns {Promise<any>} its key: a number or a text, by the store */
export const keep = (name, value) => withStore(name, "readwrite", (store) => store.put(value));
/** @template {keyof Stores} N @param {N} name @param {IDBValidKey} key @returns {Promise<Stores[N] | undefined>} */
export const find = (name, key) => withStore(name, "readonly", (store) => store.get(key));
/** @template {keyof Stores} N @param {N} name @returns {Promise<Stores[N][]>} in the order of their keys */
export const findAll = (name) => withStore(name, "readonly", (store) => store.getAll());
/** @param {keyof Stores} name @param {IDBValidKey} key */
export const remove = (name, key) => withStore(name, "readwrite", (store) => store.delete(key));
/** @param {keyof Stores} name */
export const removeAll = (name) => withStore(name, "readwrite", (store) => store.clear());

// A value stored beside the databases, or null.
/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(own(name));
  } catch {
    return null;
  }
}

/** @param {string} name @param {any} [value] without one it is deleted */
export function remember(name, value) {
  try {
    if (value) localStorage.setItem(own(name), value);
    else localStorage.removeItem(own(name));
  } catch { /* it is not stored */ }
}

// The build of the offline app that this device runs; null for none.
export const wanted = () => recall("pocket");

// Adds what was "waiting" or "unsent" to the losses: the browser has deleted its database.
/** @param {string} name */
export function recordLoss(name) {
  remember("lost", Number(recall("lost")) + Number(recall(name)));
  remember(name);
}

// Asks the browser to keep what is stored. It may ask the player first, so nothing waits for the answer.
export const askToPersist = async () => navigator.storage?.persist?.().catch(() => {});

// Runs work of one kind in one page at a time, if the browser has locks.
/** @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
export const alone = (name, work) => (navigator.locks ? /** @type {Promise<T>} */ (navigator.locks.request(name, work)) : work());
