// A form is sent once, however often its button is tapped.
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  event.submitter?.setAttribute("aria-busy", "true");
});

// Coming back to a page the browser kept: its forms may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
  for (const button of document.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
});

// A total that has just grown counts up; never for those who asked for stillness.
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
  for (const total of document.querySelectorAll(".fresh [data-from]")) {
    const from = Number(total.dataset.from), to = Number(total.textContent), start = performance.now();
    if (from === to) continue;
    const tick = (now) => {
      const part = Math.min(1, (now - start) / 180);
      total.textContent = String(Math.round(from + (to - from) * part));
      if (part < 1) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
}
