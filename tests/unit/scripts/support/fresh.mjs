// Loads a script of static/ with all that it imports anew, as a page that is opened does.
import { register } from "node:module";

const counts = new Int32Array(new SharedArrayBuffer(8));
register("./fresh_hooks.mjs", import.meta.url, { data: counts });

const STATIC = new URL("../../../../static/", import.meta.url).href;
let pages = 0, looks = 0;

export const load = (path) => import(`${STATIC}${path}?page=${++pages}`);

/**
 * How many modules were asked for so far, once all of these have come. The thread that loads them answers in turn: after
 * an empty module it knows of all before it.
 */
export async function countLoaded() {
  do await import(`data:text/javascript,${++looks}`); while (Atomics.load(counts, 0));
  return Atomics.load(counts, 1);
}

/** Loads scripts of one page: what several of them import they share. */
export const loadAll = (...paths) => {
  const page = ++pages;
  return Promise.all(paths.map((path) => import(`${STATIC}${path}?page=${page}`)));
};
