// Who saved by keys goes on at the deal that was just written.
if (sessionStorage.getItem("saved-by-key")) /** @type {HTMLElement | null} */ (document.querySelector(".entries .new a"))?.focus();
sessionStorage.removeItem("saved-by-key");
// A total that has just grown counts up; never for those who asked for stillness.
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  for (const total of document.querySelectorAll("html:not([data-kept]) .fresh [data-from]")) {
    const from = Number(total.dataset.from), to = Number(total.textContent), start = performance.now();
    if (from === to) continue;
    /** @param {number} now */
    const tick = (now) => {
      const part = Math.min(1, (now - start) / 500);
      total.textContent = String(Math.round(from + (to - from) * part));
      if (part < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}
