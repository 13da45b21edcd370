// A replay goes forwards and backwards by the arrow keys, and by a swipe.
(() => {
  /** @param {"prev" | "next"} way */
  const go = (way) => /** @type {HTMLAnchorElement | null} */ (document.querySelector(`.steps [rel=${way}]`))?.click();
  const ways = /** @type {Record<string, "prev" | "next">} */ ({ ArrowLeft: "prev", ArrowRight: "next" });
  addEventListener("keydown", (event) => {
    const way = ways[event.key];
    if (way && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) go(way);
  });
  /** @type {Touch | undefined} */
  let begun;
  addEventListener("touchstart", (event) => { begun = event.touches.length === 1 ? event.touches[0] : undefined; }, { passive: true });
  addEventListener("touchend", (event) => {
    const ended = event.changedTouches[0];
    if (!begun || !ended) return;
    const across = ended.clientX - begun.clientX;
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(ended.clientY - begun.clientY)) go(across < 0 ? "next" : "prev");
  }, { passive: true });
})();
