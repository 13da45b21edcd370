// The number pad under the thumb: digits, plus, backspace, next. It adds up in view.
// It writes into one field, which need not have the focus, and leaves it only on request: by Next, or by a
// tap on another field. No tap elsewhere moves the focus.
(() => {
  /** @type {HTMLInputElement | null} */
  let field = null;

  const form = () => /** @type {HTMLFormElement} or null, on a page that has none */ (document.getElementById("deal"));
  const sums = () => /** @type {HTMLInputElement[]} */ ([...form().querySelectorAll("input.sum")]);
  const fields = () => sums().filter((input) => input.offsetParent);
  /** @returns {HTMLElement} */
  const pad = () => form()?.querySelector("[data-numkeys]");
  const narrow = matchMedia("(max-width: 56.24em), (max-height: 30em) and (pointer: coarse)");

  /** @param {string} text */
  const addUp = (text) => text.split("+").reduce((total, part) => total + (Number(part.trim()) || 0), 0);
  /** @param {HTMLInputElement} input */
  const showSum = (input) => {
    const out = form().querySelector(`output[for="${input.id}"]`);
    if (out) out.textContent = input.value.includes("+") && /^[\d+\s]*$/.test(input.value) ? `= ${addUp(input.value)}` : "";
  };
  /** @param {HTMLInputElement} input */
  const announceChange = (input) => {
    showSum(input);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  /** @param {HTMLInputElement | null} input */
  const aimAt = (input) => {
    field?.classList.remove("aimed");
    field = input;
    field?.classList.add("aimed");
  };

  /** @type {number | undefined} */
  let closing;
  /** @param {HTMLInputElement} input */
  const openPad = (input) => {
    clearTimeout(closing);
    if (!narrow.matches) return;
    const moved = input !== field;
    aimAt(input);
    pad().hidden = false;
    form().classList.add("typing");
    if (moved) requestAnimationFrame(() => bringIntoView(input));
  };
  // What is said above the pad may grow, and must not cover the number.
  const growth = new ResizeObserver(() => {
    if (!field || !form()?.contains(field)) return;
    const dock = pad().closest(".dock").getBoundingClientRect(), box = field.getBoundingClientRect();
    if (dock.left < box.right && box.bottom > dock.top) bringIntoView(field);
  });

  // Below the score, into the middle of what the pad leaves free: who plays and all numbers, or as much as there is
  // room for.
  /** @param {HTMLInputElement} input */
  const bringIntoView = (input) => {
    const score = form().querySelector(".score"), above = getComputedStyle(score).position === "sticky" ? score.offsetHeight : 0;
    const dock = pad()?.closest(".dock").getBoundingClientRect(), group = input.closest(".points, .offer, .contract").getBoundingClientRect();
    const below = dock.left > group.left + 1 ? innerHeight : dock.top;
    const top = form().querySelector(".bidding").getBoundingClientRect().top, own = input.getBoundingClientRect();
    const box = [{ top, bottom: group.bottom }, group, own].find((part) => part.bottom - part.top < below - above) ?? own;
    scrollBy(0, (box.top + box.bottom - above - below) / 2);
  };
  const closePad = () => {
    clearTimeout(closing);
    aimAt(null);
    if (pad()) pad().hidden = true;
    form()?.classList.remove("typing");
  };

  // After the last number: to the button that saves.
  /** @param {boolean} byKey */
  const finish = (byKey) => {
    closePad();
    if (byKey) form().querySelector(".dock-buttons .primary").focus({ preventScroll: true });
  };

  const prepareFields = () => {
    if (!form()) return;
    // The phone's own keyboard would cover the page.
    if (narrow.matches) for (const input of sums()) input.inputMode = "none";
    growth.disconnect();
    if (pad()) growth.observe(pad().closest(".dock"));
    const wasOpen = field !== null, id = field?.id;
    closePad();
    const focused = sums().find((input) => input === document.activeElement), before = sums().find((input) => wasOpen && id === input.id);
    if (focused) openPad(focused);
    else if (before?.offsetParent) openPad(before);
    else if ("aim" in form().dataset) openFirst();
  };

  // Who plays is known already, and totals are all that is left to say.
  const openFirst = () => {
    delete form().dataset.aim;
    const empty = firstEmpty();
    if (empty) openPad(empty);
  };
  /** @returns {HTMLInputElement | undefined} */
  const firstEmpty = () => fields().find((input) => input.closest(".points") && input.value === "");

  /** @param {HTMLInputElement} from @param {boolean} byKey */
  const goToNext = (from, byKey) => {
    const inputs = fields(), next = inputs[inputs.indexOf(from) + 1];
    if (!next) return finish(byKey);
    if (from === document.activeElement || !byKey) next.focus();
    else openPad(next);
  };

  /** @param {string} before @param {string} key */
  const typeKey = (before, key) => {
    if (key === "clear") return "";
    if (key === "back") return before.slice(0, -1);
    return key === "+" && (before === "" || before.endsWith("+")) ? before : before + key;
  };

  // By hand: whoever taps a digit means the field, so a keyboard beside the phone goes on there too.
  /** @param {string} key @param {boolean} byKey */
  const pressKey = (key, byKey) => {
    if (!field) return;
    if (key === "hide") return finish(byKey);
    if (key === "next") return goToNext(field, byKey);
    field.value = typeKey("follows" in field.dataset ? "" : field.value, key);
    if (!byKey && document.activeElement !== field) field.focus({ preventScroll: true });
    field.setSelectionRange?.(field.value.length, field.value.length);
    announceChange(field);
  };

  let tappedAt = 0;
  const wasTapped = () => Date.now() - tappedAt < 700;
  document.addEventListener("pointerup", () => { tappedAt = Date.now(); });

  document.addEventListener("focusin", (event) => {
    const to = /** @type {HTMLInputElement} */ (event.target);
    if (to.matches?.("#deal input.sum")) return openPad(to);
    if (to.closest?.("[data-numkeys], [data-key]")) return;
    // Not at once: the page would move away under the tap that took the field's place. The tab key leaves the
    // pad open, for it lies further on.
    clearTimeout(closing);
    if (wasTapped() || to.matches?.("textarea")) closing = setTimeout(closePad, 300);
  });
  // A tap on the pad leaves the focus where it is.
  document.addEventListener("pointerdown", (event) => {
    tappedAt = Date.now();
    if (/** @type {Element} */ (event.target).closest("#deal [data-key]")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target), key = target.closest("[data-key]");
    if (key) pressKey(key.dataset.key ?? "", event.detail === 0);
    else if (target.matches?.("#deal input.sum")) openPad(target);
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (event.key === "Escape" && target.closest?.("#deal")) return closePad();
    if (/^\d$/.test(event.key)) return leaveChoice(target);
    if (event.key !== "Enter" || !target.matches?.("#deal input.sum")) return;
    event.preventDefault();
    goToNext(target, true);
  });
  document.addEventListener("input", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.matches?.("#deal input.sum")) showSum(target);
  });

  // Whether it says the last thing before the numbers.
  /** @param {HTMLInputElement} input */
  const leads = (input) => {
    const counting = form().elements.counting?.value;
    if (form().elements.bid_points && counting !== "cards") return input.name === "bid_points";
    return counting === "totals" || counting === "points" ? input.name === "bid" && input.value.includes(":") : counting === "count" && input.name === "last";
  };
  // Digits typed on it mean the numbers: the key goes where the focus is then.
  /** @param {HTMLInputElement} target */
  const leaveChoice = (target) => {
    if (target.form?.id === "deal" && target.checked && leads(target)) firstEmpty()?.focus();
  };
  // A tap (not an arrow key) on it opens the pad for them.
  document.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.form?.id !== "deal" || !wasTapped()) return;
    if (leads(input) && firstEmpty()) setTimeout(openFirst, 0);
    else if (input.name === "bid") input.closest(".part").scrollIntoView();
  });
  // Another suit was chosen: it stands alone again. Or the others are asked for: they come into view.
  document.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target), others = /** @type {HTMLInputElement | null} */ (document.getElementById("change"));
    if (input.form?.id !== "deal" || !others) return;
    if (input.name === "bid") others.checked = false;
    if (input !== others) return;
    closePad();
    const plays = input.closest(".plays");
    /** @type {HTMLElement} */ (plays.querySelector("[name=bid]:checked")).focus();
    plays.scrollIntoView({ block: "nearest" });
  });

  document.addEventListener("page:exchanged", closePad); // it says why it was not saved: that is to be seen first
  document.addEventListener("deal:exchanged", prepareFields);
  prepareFields();
  // Whoever was quicker than this script has tapped it already.
  if (form() && firstEmpty() && /** @type {HTMLInputElement[]} */ ([...form().elements]).some((input) => leads(input) && input.checked && !input.defaultChecked)) openFirst();
})();
