// IndexedDB of one device, empty; null where fake-indexeddb is not installed.
const library = await import("fake-indexeddb").catch(() => null);

/** Options of tests that need it: `test(name, needs, work)`. */
export const needsDatabase = { skip: library ? false : "fake-indexeddb is not installed" };

export function openDevice() {
  if (!library) return null;
  globalThis.indexedDB = new library.IDBFactory();
  globalThis.IDBKeyRange = library.IDBKeyRange;
  return globalThis.indexedDB;
}

/** All rows of a store of the device. */
export async function readAll(store) {
  const [{ name }] = await globalThis.indexedDB.databases();
  const database = await new Promise((resolve) => {
    const request = globalThis.indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
  });
  const rows = await new Promise((resolve) => {
    const request = database.transaction(store).objectStore(store).getAll();
    request.onsuccess = () => resolve(request.result);
  });
  database.close();
  return rows;
}
