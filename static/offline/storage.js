// What this phone keeps of its own: drafts, waiting entries, and the last one of each match that it wrote, in IndexedDB, written through to the disk.
let opened;

// Below which path of the host the app is: another one, on another path, keeps things of its own.
export const below = new URL("../../../", import.meta.url).pathname;
const NAME = below === "/" ? "companion" : `companion:${below}`;
const WANTED = below === "/" ? "pocket" : `pocket:${below}`;

const asPromise = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

function openDatabase() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
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

// Each of these fails where nothing can be kept: a private window of some browsers, a full disk.
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

export const keep = (name, value) => withStore(name, "readwrite", (store) => store.put(value)); // gives its key
export const find = (name, key) => withStore(name, "readonly", (store) => store.get(key));
export const findAll = (name) => withStore(name, "readonly", (store) => store.getAll()); // in the order of their keys
export const remove = (name, key) => withStore(name, "readwrite", (store) => store.delete(key));
export const removeAll = (name) => withStore(name, "readwrite", (store) => store.clear());

// The build of the program (pocket/) that this phone is to run; null where it runs none, or keeps nothing for us.
export function wanted() {
  try {
    return localStorage.getItem(WANTED);
  } catch {
    return null;
  }
}

export const want = (build) => (build ? localStorage.setItem(WANTED, build) : wanted() && localStorage.removeItem(WANTED));

// One page at a time does this kind of work, where the browser can see to that.
export const alone = (name, work) => (navigator.locks ? navigator.locks.request(name, work) : work());
