// A file with all matches of a phone alone: given to the share sheet where that takes such files, else downloaded. The program
// is told that it was kept.
import { download } from "./download.js";

const type = "application/zip", isShared = navigator.canShare?.({ files: [new File([], "a.zip", { type })] });

/** @param {HTMLAnchorElement} link */
async function load({ href }) {
  const at = new Date().toISOString(), answer = await fetch(href);
  if (!answer.ok) throw new Error(String(answer.status));
  const [, name = "companion.zip"] = /filename=([\w.-]+)/.exec(answer.headers.get("Content-Disposition") ?? "") ?? [];
  return { at, file: new File([await answer.blob()], name, { type }) };
}

/** @param {Event} event */
const linkOf = ({ target }) => /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (target).closest("a[data-keep]"));
/** @type {ReturnType<typeof load> | undefined} */
let loading;
// Fetched as soon as the finger goes down: a browser allows sharing only shortly after a tap.
document.addEventListener("pointerdown", (event) => {
  const link = linkOf(event);
  if (!link) return;
  loading = load(link);
  loading.catch(() => {}); // the tap follows the link then
});
document.addEventListener("click", async (event) => {
  const link = linkOf(event);
  if (!link) return;
  event.preventDefault();
  const loaded = loading ?? load(link);
  loading = undefined;
  try {
    const { at, file } = await loaded;
    if (isShared) await navigator.share({ files: [file] });
    else download(file);
    await fetch(link.dataset.keep ?? "", { method: "POST", body: new URLSearchParams({ at }) });
    link.closest("[data-unfiled]")?.remove();
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") location.assign(link.href);
  }
});
