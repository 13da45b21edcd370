// Card pads of a question: shown where they are picked, in the order of the taps, each card in one place only.
(() => {
  const form = /** @type {HTMLFormElement} or null, on a page that asks nothing */ (document.getElementById("ask"));
  if (!form) return;
  /** @typedef {HTMLDetailsElement} Pad */
  const TIMEOUT = 10_000; // milliseconds until no answer counts as none

  const allPads = () => /** @type {Pad[]} */ ([...form.querySelectorAll("[data-pad]")]);
  /** @param {string} name */
  const padNamed = (name) => allPads().find((pad) => pad.dataset.pad === name);
  /** @param {Pad} pad */
  const inputs = (pad) => /** @type {HTMLInputElement[]} */ ([...pad.querySelectorAll(".cardkey > input")]);
  /** @param {Pad} pad */
  const keys = (pad) => /** @type {HTMLButtonElement[]} */ ([...pad.querySelectorAll("button.cardkey")]);
  /** @param {Pad} pad */
  const takenCards = (pad) => pad.querySelector("[data-taken]");

  /** @param {Pad} pad @returns {string[]} */
  const pickedCards = (pad) => {
    if (pad.dataset.kind === "step") return playedCards(pad);
    if (pad.dataset.kind === "submit") return /** @type {HTMLInputElement[]} */ ([...takenCards(pad).children]).map((input) => input.value);
    return inputs(pad).filter((input) => input.checked).map((input) => input.value);
  };

  /** @param {Pad} pad */
  const playedCards = (pad) => /** @type {HTMLInputElement[]} */ ([...pad.querySelectorAll("ol input")])
    .flatMap(({ value }) => (value.endsWith(" show") ? [] : value.split(" ").filter((word) => word.length > 1)));

  /** @param {Pad} pad @param {string} code */
  const drawFace = (pad, code) => {
    const isOf = (/** @type {HTMLElement} */ key) => (key.querySelector("input") || key).getAttribute("value") === code;
    const key = [...pad.querySelectorAll(".cardkey")].find(isOf), card = document.createElement("span");
    if (!key) return card;
    card.className = key.className.replace("cardkey", "card"); // its suit, or that it is a joker
    card.append(...[...(key.querySelector(".face") || key).children].map((part) => part.cloneNode(true)));
    return card;
  };

  // The value of a fact; nothing while it is not asked for itself.
  /** @param {string} name @returns {string | undefined} */
  const valueOf = (name) => {
    const chosen = form.querySelectorAll(`input[name="${name}"]:checked:not(:disabled)`);
    const isCheck = form.querySelector(`input[type="checkbox"][name="${name}"]`);
    return isCheck ? String(chosen.length > 0) : chosen[0]?.getAttribute("value") ?? undefined;
  };

  // --- what a pad shows ------------------------------------------------------------------------------

  const updatePads = () => {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[data-where]"))) {
      const [name, values] = (input.dataset.where ?? "").split("=");
      const value = valueOf(name);
      input.hidden = input.disabled = value === undefined || !values.split(",").includes(value);
    }
    for (const pad of allPads()) updatePad(pad);
  };

  /** @param {Pad} pad */
  const updatePad = (pad) => {
    const trump = form.querySelector('input[name="trump"]:checked')?.getAttribute("value");
    const own = pickedCards(pad), elsewhere = cardsElsewhere(pad), isFull = Boolean(pad.dataset.most) && own.length >= Number(pad.dataset.most);
    pad.querySelector("[data-picked]")?.replaceChildren(...own.map((code) => drawFace(pad, code)));
    closeInputs(pad, elsewhere, isFull);
    for (const key of keys(pad)) key.disabled = isFull || own.includes(key.value) || elsewhere.includes(key.value);
    for (const row of pad.querySelectorAll(".cardpad-row")) row.classList.toggle("trump", row.dataset.suit === trump);
    showTools(pad, own);
  };

  // Cards that lie in another place of the same heap.
  /** @param {Pad} pad */
  const cardsElsewhere = (pad) => {
    const { heap } = pad.dataset;
    return heap === undefined ? [] : allPads().filter((other) => other !== pad && other.dataset.heap === heap).flatMap(pickedCards);
  };

  /** @param {Pad} pad @param {string[]} elsewhere @param {boolean} isFull */
  const closeInputs = (pad, elsewhere, isFull) => {
    const source = pad.dataset.among ? padNamed(pad.dataset.among) : undefined, offered = source ? pickedCards(source) : [];
    const isOffered = (/** @type {string} */ code) => !offered.length || offered.includes(code);
    for (const input of inputs(pad)) {
      const isOpen = !elsewhere.includes(input.value) && isOffered(input.value) && !(isFull && input.type === "checkbox");
      input.disabled = !input.checked && !isOpen;
    }
  };

  /** @param {Pad} pad @param {string[]} own */
  const showTools = (pad, own) => {
    const drop = /** @type {HTMLButtonElement | null} */ (pad.querySelector("[data-drop]")), tools = pad.querySelector(".pad-tools");
    if (drop) drop.value = own.at(-1) || "";
    if (tools && pad.dataset.kind !== "step") tools.hidden = !own.length;
  };

  // --- taps ------------------------------------------------------------------------------------------

  /** @param {Pad} pad @param {string} code */
  const addCard = (pad, code) => {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = pad.dataset.pad ?? "";
    input.value = code;
    takenCards(pad).append(input);
  };

  form.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target), button = /** @type {HTMLButtonElement | null} */ (target.closest("button"));
    const pad = /** @type {Pad | null} */ (target.closest("[data-pad]")), course = target.closest("[data-course]");
    if (!button || !(course || pad)) return;
    if (course) takeStep(course.dataset.course ?? "", button.name, button.value);
    else if (pad?.dataset.kind === "step") tapStep(pad, button);
    else if (!pad || !tapCard(pad, button)) return;
    event.preventDefault();
  });

  /** @param {Pad} pad @param {HTMLButtonElement} button */
  const tapStep = (pad, button) => {
    if (button.matches(".cardkey")) button.disabled = true; // at once, so that a quick hand sees it
    takeStep(pad.dataset.pad ?? "", button.name, button.value);
  };

  // Whether the tap was for the pad.
  /** @param {Pad} pad @param {HTMLButtonElement} button */
  const tapCard = (pad, button) => {
    if (button.matches(".cardkey")) addCard(pad, button.value);
    else if (button.matches("[data-drop]")) takenCards(pad).lastElementChild?.remove();
    else if (button.matches("[data-clear]")) clearPad(pad);
    else return false;
    updatePads();
    if (button.disabled) pad.querySelector(".cardkey:not(:disabled)")?.focus({ preventScroll: true });
    return true;
  };

  /** @param {Pad} pad */
  const clearPad = (pad) => {
    takenCards(pad)?.replaceChildren();
    for (const input of inputs(pad)) input.checked = false;
  };

  // --- the server ------------------------------------------------------------------------------------

  // The page of an address; null where there is no answer in ten seconds, or from a server that fails.
  /** @param {string} address */
  const askServer = async (address) => {
    const waiting = new AbortController(), timer = setTimeout(() => waiting.abort(), TIMEOUT);
    let response, text;
    try {
      response = await fetch(address, { signal: waiting.signal });
      text = await response.text();
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
    if (response.status >= 500 || !response.headers.has("X-Version")) return null;
    if (!response.ok) throw new Error(String(response.status));
    return text;
  };

  // The page stays as it is; what to do is said where it was tapped.
  const silence = document.createElement("p");
  silence.className = "error";
  silence.setAttribute("role", "alert");
  /** @param {HTMLElement} place */
  const showSilence = (place) => {
    place.append(silence);
    silence.textContent = form.dataset.offline ?? "";
    silence.scrollIntoView({ block: "center" });
  };

  // What is played one after another is put together by the server, tap by tap; only its field is exchanged.
  /** @typedef {{pad: string, key: string, value: string}} Step */
  /** @type {Step[]} */
  const queue = [];
  let busy = false;
  /** @param {string} pad @param {string} key @param {string} value */
  const takeStep = async (pad, key, value) => {
    queue.push({ pad, key, value });
    if (busy) return;
    busy = true;
    for (let step = queue.shift(); step; step = queue.shift()) {
      try {
        await carryOut(step);
      } catch {
        queue.length = 0;
        sendForm(step); // the server has to say it itself
      }
    }
    busy = false;
  };

  /** @param {Step} step */
  const carryOut = async (step) => {
    const facts = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
    facts.delete("asked");
    facts.append(step.key, step.value);
    const text = await askServer(`${form.action.split("?")[0]}?${facts}`), id = `field-${step.pad.replaceAll(".", "-")}`;
    if (text === null) {
      queue.length = 0;
      updatePads();
      return showSilence(document.getElementById(id));
    }
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(id);
    exchangeField(document.getElementById(id), fresh, step, facts);
    updatePads();
    document.dispatchEvent(new Event("form:exchanged"));
    if (step.value) focusNext(fresh, step);
  };

  /** @param {HTMLElement} before @param {HTMLElement} fresh @param {Step} step @param {URLSearchParams} facts */
  const exchangeField = (before, fresh, { pad, value }, facts) => {
    const next = `next.${pad}`, chosen = form.elements[next]?.value;
    const wasOpen = /** @type {Pad | null} */ (before.querySelector("details[data-pad]"))?.open ?? false;
    for (const details of /** @type {NodeListOf<Pad>} */ (fresh.querySelectorAll("details[data-pad]"))) details.open = value !== "" || wasOpen;
    before.replaceWith(fresh);
    if (chosen === (facts.get(next) ?? undefined)) return; // else it was chosen meanwhile
    const choice = /** @type {HTMLInputElement[]} */ ([...fresh.querySelectorAll(`input[name="${next}"]`)]).find((input) => input.value === chosen);
    if (choice) choice.checked = true;
  };

  /** @param {HTMLElement} fresh @param {Step} step */
  const focusNext = (fresh, { key, value }) => {
    const buttons = /** @type {HTMLButtonElement[]} */ ([...fresh.querySelectorAll("button:not(:disabled)")]);
    const same = buttons.find((button) => button.name === key && button.value === value);
    (same || fresh.querySelector(".cardkey:not(:disabled)") || fresh.querySelector("button"))?.focus({ preventScroll: true });
  };

  /** @param {Step} step */
  const sendForm = ({ key, value }) => {
    const button = document.createElement("button");
    Object.assign(button, { name: key, value, hidden: true });
    form.append(button);
    form.requestSubmit(button);
  };

  // --- choices ---------------------------------------------------------------------------------------

  let tappedAt = 0;
  const wasTapped = () => Date.now() - tappedAt <= 700;
  form.addEventListener("pointerup", () => { tappedAt = Date.now(); });
  form.addEventListener("change", (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    updatePads();
    for (const { dataset } of form.querySelectorAll("[data-follows]")) {
      if (dataset.follows?.split(" ").includes(input.name)) takeStep(dataset.pad || dataset.course || "", dataset.refresh ?? "", "");
    }
    if (wasTapped()) goOn(/** @type {Pad | null} */ (input.closest("[data-pad]")));
  });

  // One card alone is picked: on to the next pad that is still empty, or to the answer where all is known.
  /** @param {Pad | null} pad */
  const goOn = (pad) => {
    const button = form.querySelector("[data-go-on]");
    if (button && form.elements.elder?.value && form.elements.turn_up?.value) return form.requestSubmit(button);
    if (pad?.dataset.kind !== "radio") return;
    pad.open = false;
    const pads = allPads(), isNext = (/** @type {Pad} */ other) => other.getAttribute("name") === "pads" && other.checkVisibility?.() && !pickedCards(other).length;
    const next = pads.slice(pads.indexOf(pad) + 1).find(isNext);
    if (next) next.open = true;
    else pad.querySelector("summary").focus({ preventScroll: true });
  };

  // What is blank stays out of the address.
  form.addEventListener("submit", (event) => {
    if (!navigator.onLine) {
      event.preventDefault();
      return showSilence(event.submitter?.closest("[data-pad]") ?? form);
    }
    for (const input of /** @type {HTMLInputElement[]} */ ([...form.elements])) {
      if (input.matches('input:not([type="radio"], [type="checkbox"], [type="hidden"]), select') && input.name && input.value === "") input.disabled = true;
    }
    for (const input of form.querySelectorAll('input[type="radio"][value=""]:checked')) input.setAttribute("disabled", "");
  });
  addEventListener("pageshow", () => {
    for (const input of form.querySelectorAll(":disabled:not(.cardkey):not(.cardkey *):not([data-where] *)")) input.removeAttribute("disabled");
    updatePads();
  });

  document.addEventListener("page:exchanged", updatePads);
  updatePads();
})();
