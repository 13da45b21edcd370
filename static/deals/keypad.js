// The number pad under the thumb: digits, plus, backspace, next. It adds up in view.
// A field that cannot grow any more hands on to the next one; "+" on an empty field goes on with the one before.
(() => {
  let field = null;

  const form = () => document.getElementById("deal");
  const fields = () => [...form().querySelectorAll("input.sum")].filter((input) => input.offsetParent);
  const pad = () => form()?.querySelector("[data-numkeys]");
  const narrow = matchMedia("(max-width: 56.24em)");

  const addUp = (text) => text.split("+").reduce((total, part) => total + (Number(part.trim()) || 0), 0);
  const showSum = (input) => {
    const out = form().querySelector(`output[for="${input.id}"]`);
    if (out) out.textContent = input.value.includes("+") && /^[\d+\s]*$/.test(input.value) ? `= ${addUp(input.value)}` : "";
  };
  const announceChange = (input) => {
    showSum(input);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  let closing;
  const openPad = (input) => {
    clearTimeout(closing);
    field = input;
    if (!narrow.matches) return;
    pad().hidden = false;
    form().classList.add("typing");
    requestAnimationFrame(() => input.closest(".points, .offer")?.scrollIntoView({ block: "center" }));
  };
  const closePad = () => {
    clearTimeout(closing);
    field = null;
    if (pad()) pad().hidden = true;
    form()?.classList.remove("typing");
  };

  // Not at once: the page would move away under the tap that took the field's place.
  const leaveField = () => {
    clearTimeout(closing);
    closing = setTimeout(closePad, 300);
  };

  // After the last number: to the button that saves.
  const goToSave = () => {
    closePad();
    form().querySelector(".dock-buttons .primary").focus({ preventScroll: true });
  };

  const prepareFields = () => {
    if (!form()) return;
    // The phone's own keyboard would cover the page.
    if (narrow.matches) for (const input of form().querySelectorAll("input.sum")) input.inputMode = "none";
    if (document.activeElement?.matches?.("#deal input.sum")) openPad(document.activeElement);
    else closePad();
  };

  const fieldBeside = (offset) => {
    const inputs = fields(), at = inputs.indexOf(field);
    return inputs[at + offset];
  };
  const isFull = (input) => {
    const maximum = Number(input.dataset.most);
    return maximum && !input.value.includes("+") && Number(input.value) * 10 > maximum;
  };

  const pressKey = (key) => {
    if (!field) return;
    if (key === "hide") return field.blur(), closePad();
    if (key === "next") {
      const next = fieldBeside(1);
      return next ? next.focus() : goToSave();
    }
    if ((key === "+" || key === "back") && field.value === "" && fieldBeside(-1)) fieldBeside(-1).focus();
    if (key === "back") field.value = field.value.slice(0, -1);
    else if (key === "+") field.value += field.value && !field.value.endsWith("+") ? "+" : "";
    else field.value += key;
    field.setSelectionRange?.(field.value.length, field.value.length);
    const typed = field;
    announceChange(typed);
    if (/\d/.test(key) && isFull(typed) && fieldBeside(1)?.value === "") fieldBeside(1).focus();
  };

  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.("#deal input.sum")) openPad(event.target);
    else if (!event.target.closest?.("[data-numkeys]")) leaveField();
  });
  // A tap on the pad leaves the field where it is.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-numkeys] [data-key]")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-numkeys] [data-key]");
    if (key) pressKey(key.dataset.key);
  });
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.("#deal input.sum")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      pressKey("next");
    } else if (event.key === "Escape") closePad();
    else if (event.key === "+" && event.target.value === "" && fieldBeside(-1)) {
      event.preventDefault();
      pressKey("+");
    }
  });
  document.addEventListener("input", (event) => {
    if (!event.target.matches?.("#deal input.sum")) return;
    showSum(event.target);
    if (event.isTrusted && event.data && /\d/.test(event.data) && isFull(event.target) && fieldBeside(1)?.value === "") fieldBeside(1).focus();
  });

  // A tap (not an arrow key) that says the last thing before the numbers goes on to them.
  let tappedAt = 0;
  document.addEventListener("pointerup", () => { tappedAt = Date.now(); });
  document.addEventListener("change", (event) => {
    const input = event.target;
    if (input.form?.id !== "deal" || Date.now() - tappedAt > 700) return;
    const counting = form().elements.counting.value;
    const leads = counting === "totals" ? input.name === "bid" && input.value.includes(":") : counting === "count" && input.name === "last";
    const empty = fields().find((input) => input.closest(".points") && input.value === "");
    // Whoever was quicker than that and went elsewhere stays there.
    const still = () => [input, document.body].includes(document.activeElement);
    if (leads && empty) setTimeout(() => { if (still()) empty.focus(); }, 0);
  });

  document.addEventListener("deal:exchanged", prepareFields);
  prepareFields();
})();
