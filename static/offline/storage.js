// What this device stores, written through to the disk: drafts, waiting entries, the last entry it wrote in each match.
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
      noteLoss("waiting");
      request.result.createObjectStore("drafts", { keyPath: "key" });
      request.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
      request.result.createObjectStore("written", { keyPath: "key" });
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => { request.result.close(); opened = undefined; };
      request.result.onclose = () => { opened = undefined; }; // the browser did: for want of room, or it lost its files
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
  opened.catch(() => { opened = undefined; });
  return opened;
}

// Fails where nothing can be stored: private windows of some browsers, a full disk.
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

// A value kept beside the databases, or null.
/** @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(own(name));
  } catch {
    return null;
  }
}

/** @param {string} name @param {any} [value] nothing: it is forgotten */
export function remember(name, value) {
  try {
    if (value) localStorage.setItem(own(name), value);
    else localStorage.removeItem(own(name));
  } catch { /* it is not kept */ }
}

// The build of the offline app that this device is to run; null where it runs none.
export const wanted = () => recall("pocket");

// The browser deleted a database: what was "waiting" or "unsent" in it is lost.
/** @param {string} name */
export function noteLoss(name) {
  remember("lost", Number(recall("lost")) + Number(recall(name)));
  remember(name);
}

// Asks the browser to keep what is stored. It may ask the player first: no work waits for that.
export const askToPersist = async () => navigator.storage?.persist?.().catch(() => {});

// One page at a time does this kind of work, where the browser can see to that.
/** @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
export const alone = (name, work) => (navigator.locks ? /** @type {Promise<T>} */ (navigator.locks.request(name, work)) : work());
