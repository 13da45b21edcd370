// The number pad under the thumb: digits, plus, backspace, next. It adds up in view.
// A field that cannot grow any more hands on to the next one; "+" on an empty field goes on with the one before.
(() => {
  let field = null;

  const form = () => document.getElementById("deal");
  const fields = () => [...form().querySelectorAll("input.sum")].filter((one) => one.offsetParent);
  const pad = () => form()?.querySelector("[data-numkeys]");
  const narrow = matchMedia("(max-width: 56.24em)");

  const sum = (text) => text.split("+").reduce((all, part) => all + (Number(part.trim()) || 0), 0);
  const show = (one) => {
    const out = form().querySelector(`output[for="${one.id}"]`);
    if (out) out.textContent = one.value.includes("+") && /^[\d+\s]*$/.test(one.value) ? `= ${sum(one.value)}` : "";
  };
  const changed = (one) => {
    show(one);
    one.dispatchEvent(new Event("input", { bubbles: true }));
  };

  let closing;
  const open = (one) => {
    clearTimeout(closing);
    field = one;
    if (!narrow.matches) return;
    pad().hidden = false;
    form().classList.add("typing");
    requestAnimationFrame(() => one.closest(".points, .offer")?.scrollIntoView({ block: "center" }));
  };
  const close = () => {
    clearTimeout(closing);
    field = null;
    if (pad()) pad().hidden = true;
    form()?.classList.remove("typing");
  };

  // Not at once: the page would move away under the tap that took the field's place.
  const leave = () => {
    clearTimeout(closing);
    closing = setTimeout(close, 300);
  };

  // After the last number: to the button that saves.
  const done = () => {
    close();
    form().querySelector(".dock-buttons .primary").focus({ preventScroll: true });
  };

  const prepare = () => {
    if (!form()) return;
    // The phone's own keyboard would cover the page.
    if (narrow.matches) for (const one of form().querySelectorAll("input.sum")) one.inputMode = "none";
    if (document.activeElement?.matches?.("#deal input.sum")) open(document.activeElement);
    else close();
  };

  const beside = (step) => {
    const all = fields(), at = all.indexOf(field);
    return all[at + step];
  };
  const full = (one) => {
    const most = Number(one.dataset.most);
    return most && !one.value.includes("+") && Number(one.value) * 10 > most;
  };

  const press = (key) => {
    if (!field) return;
    if (key === "hide") return field.blur(), close();
    if (key === "next") {
      const next = beside(1);
      return next ? next.focus() : done();
    }
    if ((key === "+" || key === "back") && field.value === "" && beside(-1)) beside(-1).focus();
    if (key === "back") field.value = field.value.slice(0, -1);
    else if (key === "+") field.value += field.value && !field.value.endsWith("+") ? "+" : "";
    else field.value += key;
    field.setSelectionRange?.(field.value.length, field.value.length);
    const typed = field;
    changed(typed);
    if (/\d/.test(key) && full(typed) && beside(1)?.value === "") beside(1).focus();
  };

  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("#deal input.sum")) open(event.target);
    else if (!event.target.closest?.("[data-numkeys]")) leave();
  });
  // A tap on the pad leaves the field where it is.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-numkeys] [data-key]")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-numkeys] [data-key]");
    if (key) press(key.dataset.key);
  });
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.("#deal input.sum")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      press("next");
    } else if (event.key === "Escape") close();
    else if (event.key === "+" && event.target.value === "" && beside(-1)) {
      event.preventDefault();
      press("+");
    }
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches?.("#deal input.sum")) return;
    show(event.target);
    if (event.isTrusted && event.data && /\d/.test(event.data) && full(event.target) && beside(1)?.value === "") beside(1).focus();
  });

  // A tap (not an arrow key) that says the last thing before the numbers goes on to them.
  let tapped = 0;
  document.addEventListener("pointerup", () => { tapped = Date.now(); });
  document.addEventListener("change", (event) => {
    const one = event.target;
    if (one.form?.id !== "deal" || Date.now() - tapped > 700) return;
    const counting = form().elements.counting.value;
    const leads = counting === "totals" ? one.name === "bid" && one.value.includes(":") : counting === "count" && one.name === "last";
    const empty = fields().find((each) => each.closest(".points") && each.value === "");
    // Whoever was quicker than that and went elsewhere stays there.
    const still = () => [one, document.body].includes(document.activeElement);
    if (leads && empty) setTimeout(() => { if (still()) empty.focus(); }, 0);
  });

  document.addEventListener("deal:exchanged", prepare);
  prepare();
})();
