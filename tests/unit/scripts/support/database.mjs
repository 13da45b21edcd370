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
