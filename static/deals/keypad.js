// The number pad under the thumb: digits, plus, backspace, next. It adds up in view.
// It writes into one field, which need not have the focus nor be in view, and leaves it only on request: by Next, or
// by a tap on another field. No tap elsewhere moves the focus or the page.
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
  // By a tap on a suit or a bid the page stays where it is: melds may come before the numbers.
  /** @param {HTMLInputElement} input */
  const openPad = (input, stays = false) => {
    clearTimeout(closing);
    if (!narrow.matches) return;
    const moved = input !== field;
    aimAt(input);
    pad().hidden = false;
    form().classList.add("typing");
    if (moved && !stays) requestAnimationFrame(() => bringIntoView(input));
  };
  // The score with its chip stays at the top; what is said above the pad may grow, and must not cover the number.
  let typed = false;
  const growth = new ResizeObserver(() => {
    measureScore();
    if (typed && field && form()?.contains(field) && !isInView(field)) bringIntoView(field);
  });
  const measureScore = () => {
    const score = form()?.querySelector(".score");
    if (score) form().style.setProperty("--score", `${score.offsetHeight}px`);
  };

  // What is pinned above and below leaves free.
  /** @param {Element} input */
  const freeRoom = (input) => {
    const pinned = [...form().querySelectorAll(".score, .plays")].filter((part) => getComputedStyle(part).position === "sticky");
    const dock = pad()?.closest(".dock").getBoundingClientRect(), group = input.getBoundingClientRect();
    return { above: pinned.reduce((height, part) => height + part.offsetHeight, 0), below: dock.left > group.left + 1 ? innerHeight : dock.top };
  };
  /** @param {HTMLInputElement} input */
  const isInView = (input) => {
    const { above, below } = freeRoom(input), box = input.getBoundingClientRect();
    return box.top >= above && box.bottom <= below;
  };
  // Into the middle of it: all numbers, or as much as there is room for.
  /** @param {HTMLInputElement} input */
  const bringIntoView = (input) => {
    const { above, below } = freeRoom(input), own = input.getBoundingClientRect();
    const group = input.closest(".points, .offer, .contract")?.getBoundingClientRect() ?? own;
    const box = group.bottom - group.top < below - above ? group : own;
    scrollBy(0, (box.top + box.bottom - above - below) / 2);
  };
  const closePad = () => {
    clearTimeout(closing);
    typed = false;
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
    const wasOpen = field !== null, wasTyped = typed, id = field?.id;
    closePad();
    typed = wasTyped;
    const focused = sums().find((input) => input === document.activeElement), before = sums().find((input) => wasOpen && id === input.id);
    if (focused) openPad(focused);
    else if (before?.offsetParent) openPad(before, true);
    else if ("aim" in form().dataset) openFirst();
  };

  // Who plays is known already, and totals are all that is left to say.
  const openFirst = () => {
    delete form().dataset.aim;
    const empty = firstEmpty();
    if (empty) openPad(empty, form().classList.contains("declares"));
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

  // From the contract to the melds, from these to the numbers, from one number to the next: wherever it was typed, that is next.
  /** @param {boolean} byKey */
  const goOn = (byKey) => {
    if (!field || typed || isInView(field)) return field && goToNext(field, byKey);
    const melds = form().querySelector(".declares .melds"), { above, below } = freeRoom(field);
    const isAhead = melds && melds.getBoundingClientRect().bottom > below && melds.getBoundingClientRect().top < field.getBoundingClientRect().top;
    if (isAhead) scrollBy(0, melds.getBoundingClientRect().top - above);
    else bringIntoView(field);
  };

  // By hand: whoever taps a digit means the field, so a keyboard beside the phone goes on there too.
  /** @param {string} key @param {boolean} byKey */
  const pressKey = (key, byKey) => {
    if (!field) return;
    if (key === "hide") return finish(byKey);
    if (key === "next") return goOn(byKey);
    if (!isInView(field)) bringIntoView(field);
    typed = true;
    field.value = typeKey("follows" in field.dataset ? "" : field.value, key);
    if (!byKey && document.activeElement !== field) field.focus({ preventScroll: true });
    field.setSelectionRange?.(field.value.length, field.value.length);
    announceChange(field);
  };

  /** @type {HTMLInputElement | null} */
  let held = null;
  let tappedAt = 0;
  const wasTapped = () => Date.now() - tappedAt < 700;
  document.addEventListener("pointerup", () => { tappedAt = Date.now(); });

  document.addEventListener("focusin", (event) => {
    const to = /** @type {HTMLInputElement} */ (event.target);
    if (to.matches?.("#deal input.sum")) return openPad(to);
    if (to.closest?.("[data-numkeys], [data-key]")) return;
    // Not at once: the page would move away under the tap that took the field's place. What is said before the
    // numbers leaves it open, and so does the tab key, for it lies further on.
    clearTimeout(closing);
    if (to.closest?.(".bidding, .declared, .counting, .every-trick")) return;
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
    if (input.name === "bid") scrollTo(0, 0);
    if (leads(input) && firstEmpty()) setTimeout(openFirst, 0);
  });
  // What was tapped is taken back by a tap on it.
  /** @param {string} name @returns {HTMLInputElement | undefined} */
  const unsaid = (name) => form()?.querySelector(`.unsaid > [name="${name}"]`);
  document.addEventListener("pointerdown", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    held = input.checked && unsaid(input.name) ? input : null;
  });
  document.addEventListener("click", ({ target }) => {
    if (!held || target !== held) return;
    const nobody = /** @type {HTMLInputElement} */ (unsaid(held.name));
    held = null;
    nobody.checked = true;
    for (const kind of ["input", "change"]) nobody.dispatchEvent(new Event(kind, { bubbles: true }));
  });
  // The chip says the whole contract.
  const sayContract = () => {
    /** @param {string} name */
    const said = (name) => {
      const radios = /** @type {HTMLInputElement[]} */ ([...form().querySelectorAll(`[name="${name}"]`)]);
      return radios.find((radio) => radio.checked && radio.value)?.closest(".choice")?.textContent?.trim() ?? "";
    };
    const points = form().elements.bid_other.value || said("bid_points");
    for (const place of form().querySelectorAll("[data-contract]")) place.textContent = points && `${points} ${said("double")}`;
  };
  document.addEventListener("input", ({ target }) => {
    if (/^(bid_points|bid_other|double)$/.test(/** @type {HTMLInputElement} */ (target).name)) sayContract();
  });

  // Arrow keys go from suit to suit; only Space or Enter says which.
  document.addEventListener("keydown", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.form?.id !== "deal" || input.name !== "bid") return;
    const others = /** @type {HTMLInputElement | null} */ (document.getElementById("change"));
    if (event.key === "Enter") {
      event.preventDefault();
      input.click();
    }
    if (others && (event.key === "Enter" || event.key === " ")) others.checked = false;
    const all = /** @type {HTMLInputElement[]} */ ([...form().querySelectorAll("[name=bid]")]).filter((radio) => radio.offsetParent);
    const row = input.closest(".plays-row")?.querySelectorAll("[name=bid]").length ?? 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[event.key];
    if (!step || all.length < 2) return;
    event.preventDefault();
    all[Math.min(Math.max(all.indexOf(input) + step, 0), all.length - 1)].focus();
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

  // By keys: the board goes on at the deal that it writes.
  document.addEventListener("click", (event) => {
    const saves = /** @type {Element} */ (event.target).closest('#deal button[name="do"][value^="save"]');
    if (saves && event.detail === 0) sessionStorage.setItem("saved-by-key", "1");
  });
  document.addEventListener("page:exchanged", closePad); // it says why it was not saved: that is to be seen first
  document.addEventListener("deal:exchanged", prepareFields);
  document.addEventListener("deal:exchanged", measureScore);
  prepareFields();
  measureScore();
  // Whoever was quicker than this script has tapped it already.
  if (form() && firstEmpty() && /** @type {HTMLInputElement[]} */ ([...form().elements]).some((input) => leads(input) && input.checked && !input.defaultChecked)) openFirst();
})();
