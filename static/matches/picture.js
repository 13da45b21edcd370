// The picture of a finished match goes out by the phone's share sheet where that takes files: painted, or as it is
// drawn where the network that paints it is away. Everywhere else there is the link that downloads it.
(() => {
  /** @param {string} name @param {string} type @param {BlobPart[]} parts */
  const makeFile = (name, type, parts = []) => new File(parts, `${name}.${type.includes("png") ? "png" : "svg"}`, { type });
  if (!navigator.canShare?.({ files: [makeFile("a", "image/png")] })) return;
  document.documentElement.dataset.shares = ""; // shows the button, also on a board that came later

  /** @param {string} url @param {string} name @param {string} type */
  async function load(url, name, type) {
    const answer = await fetch(url);
    if (!answer.ok || !answer.headers.get("Content-Type")?.startsWith(type)) throw new Error(String(answer.status));
    return makeFile(name, type, [await answer.blob()]);
  }
  /** @param {HTMLElement} button */
  const loadPicture = ({ dataset: { png = "", svg = "", name = "" } }) =>
    load(png, name, "image/png").catch(() => load(svg, name, "image/svg+xml"));

  /** @type {Promise<File> | undefined} */
  let loading;
  /** @param {Event} event @returns {HTMLElement | null} */
  const buttonOf = (event) => /** @type {Element} */ (event.target).closest("[data-share-picture]");
  // Fetched as soon as the finger goes down: a browser allows sharing only shortly after a tap.
  document.addEventListener("pointerdown", (event) => {
    const button = buttonOf(event);
    if (!button) return;
    loading = loadPicture(button);
    loading.catch(() => {}); // is reported by the tap
  });
  document.addEventListener("click", async (event) => {
    const button = buttonOf(event);
    if (!button) return;
    const file = loading ?? loadPicture(button);
    loading = undefined;
    try {
      await navigator.share({ files: [await file], title: button.dataset.name });
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") document.getElementById("picture-file")?.click();
    }
  });
})();
