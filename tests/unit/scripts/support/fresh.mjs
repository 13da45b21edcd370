// Loads a script of static/ with all that it imports anew, as a page that is opened does.
import { register } from "node:module";

register("./fresh_hooks.mjs", import.meta.url);

const STATIC = new URL("../../../../static/", import.meta.url).href;
let pages = 0;

export const load = (path) => import(`${STATIC}${path}?page=${++pages}`);

/** Loads scripts of one page: what several of them import they share. */
export const loadAll = (...paths) => {
  const page = ++pages;
  return Promise.all(paths.map((path) => import(`${STATIC}${path}?page=${page}`)));
};
