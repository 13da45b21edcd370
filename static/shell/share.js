// A page printed, an address shared or copied. The buttons are shown where the browser can do it.
(() => {
  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }
  // Not every browser prints what is folded away.
  addEventListener("beforeprint", () => document.querySelectorAll(".why-so").forEach((fold) => fold.setAttribute("open", "")));
  for (const button of document.querySelectorAll("[data-share]")) {
    button.hidden = !navigator.share;
    button.addEventListener("click", () => navigator.share({ title: button.dataset.title ?? document.title, url: button.dataset.share }).catch(() => {}));
  }
  for (const button of document.querySelectorAll("[data-share-text]")) {
    const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(button.dataset.shareText ?? ""));
    button.hidden = !navigator.share;
    button.addEventListener("click", () => navigator.share({ text: field.value }).catch(() => {}));
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    const copyText = async () => {
      field.select();
      if (!navigator.clipboard) return document.execCommand("copy"); // without encryption there is no clipboard
      await navigator.clipboard.writeText(field.value);
      return true;
    };
    button.hidden = false;
    button.addEventListener("click", async () => {
      if (await copyText().catch(() => document.execCommand("copy"))) button.textContent = button.dataset.done ?? "";
    });
  }
})();
