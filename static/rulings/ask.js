// Card pads of a question: shown where they are picked, in the order of the taps, each card in one place only.
(() => {
  const form = document.getElementById("ask");
  if (!form) return;
  const allPads = () => [...form.querySelectorAll("[data-pad]")];
  /** @param {string} name */
  const padNamed = (name) => allPads().find((pad) => pad.dataset.pad === name);
  /** @param {HTMLElement} pad */
  const inputs = (pad) => [...pad.querySelectorAll(".cardkey > input")];
  /** @param {HTMLElement} pad */
  const keys = (pad) => [...pad.querySelectorAll("button.cardkey")];
  /** @param {HTMLElement} pad */
  const takenCards = (pad) => pad.querySelector("[data-taken]");
  /** @param {HTMLElement} pad */
  const pickedCards = (pad) => pad.dataset.kind === "step"
    ? [...pad.querySelectorAll("ol input")].flatMap((input) => input.value.endsWith(" show") ? [] : input.value.split(" ").filter((word) => word.length > 1))
    : pad.dataset.kind === "submit"
    ? [...takenCards(pad).children].map((input) => input.value)
    : inputs(pad).filter((input) => input.checked).map((input) => input.value);

  /** @param {HTMLElement} pad @param {string} code */
  const drawFace = (pad, code) => {
    const key = [...pad.querySelectorAll(".cardkey")].find((cardKey) => (cardKey.querySelector("input") || cardKey).value === code);
    const card = document.createElement("span");
    if (!key) return card;
    card.className = key.className.replace("cardkey", "card"); // its suit, or that it is a joker
    card.append(...[...(key.querySelector(".face") || key).children].map((part) => part.cloneNode(true)));
    return card;
  };

  // What is told of a fact; nothing while it is not asked for itself.
  /** @param {string} name */
  const valueOf = (name) => {
    const told = form.querySelectorAll(`input[name="${name}"]:checked:not(:disabled)`);
    const isCheck = form.querySelector(`input[type="checkbox"][name="${name}"]`);
    return isCheck ? String(told.length > 0) : told[0]?.value;
  };

  const updatePads = () => {
    const trump = form.querySelector('input[name="trump"]:checked')?.value, pads = allPads();
    for (const input of form.querySelectorAll("[data-where]")) {
      const [name, values] = input.dataset.where.split("=");
      input.hidden = input.disabled = !values.split(",").includes(valueOf(name));
    }
    for (const pad of pads) {
      const own = pickedCards(pad), heap = pad.dataset.heap, source = pad.dataset.among && padNamed(pad.dataset.among);
      const elsewhere = heap === undefined ? [] :
        pads.filter((other) => other !== pad && other.dataset.heap === heap).flatMap(pickedCards);
      const offered = source ? pickedCards(source) : null;
      pad.querySelector("[data-picked]")?.replaceChildren(...own.map((code) => drawFace(pad, code)));
      const full = pad.dataset.most && own.length >= Number(pad.dataset.most);
      for (const input of inputs(pad))
        input.disabled = !input.checked && (elsewhere.includes(input.value) || (offered?.length > 0 && !offered.includes(input.value)) || (full && input.type === "checkbox"));
      for (const key of keys(pad)) key.disabled = full || own.includes(key.value) || elsewhere.includes(key.value);
      for (const row of pad.querySelectorAll(".cardpad-row")) row.classList.toggle("trump", row.dataset.suit === trump);
      const drop = pad.querySelector("[data-drop]");
      if (drop) drop.value = own.at(-1) || "";
      const tools = pad.querySelector(".pad-tools");
      if (tools && pad.dataset.kind !== "step") tools.hidden = !own.length;
    }
  };

  /** @param {HTMLElement} pad @param {string} code */
  const addCard = (pad, code) => {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = pad.dataset.pad;
    input.value = code;
    takenCards(pad).append(input);
  };

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button"), pad = event.target.closest("[data-pad]"), course = event.target.closest("[data-course]");
    if (button && course) {
      event.preventDefault();
      return takeStep(course.dataset.course, button.name, button.value);
    }
    if (!button || !pad) return;
    if (pad.dataset.kind === "step") {
      if (button.matches(".cardkey")) button.disabled = true; // at once, so that a quick hand sees it
      takeStep(pad.dataset.pad, button.name, button.value);
    } else if (button.matches(".cardkey")) addCard(pad, button.value);
    else if (button.matches("[data-drop]")) takenCards(pad).lastElementChild?.remove();
    else if (button.matches("[data-clear]")) {
      takenCards(pad)?.replaceChildren();
      for (const input of inputs(pad)) input.checked = false;
    } else return;
    event.preventDefault();
    if (pad.dataset.kind === "step") return;
    updatePads();
    if (button.disabled) pad.querySelector(".cardkey:not(:disabled)")?.focus({ preventScroll: true });
  });

  // The page of an address; null where there is no answer in ten seconds, or from a server that fails.
  /** @param {string} address */
  const askServer = async (address) => {
    const waiting = new AbortController(), timer = setTimeout(() => waiting.abort(), 10000);
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
    if (!response.ok) throw new Error(response.status);
    return text;
  };

  // The page stays as it is; what to do is said where it was tapped.
  const silence = document.createElement("p");
  silence.className = "error";
  silence.setAttribute("role", "alert");
  /** @param {HTMLElement} place */
  const showSilence = (place) => {
    place.append(silence);
    silence.textContent = form.dataset.offline;
    silence.scrollIntoView({ block: "center" });
  };

  // What is played one after another is put together by the server, tap by tap; only its field is exchanged.
  const queue = [];
  let busy = false;
  /** @param {HTMLInputElement} field @param {string} name @param {string} value */
  const takeStep = async (field, name, value) => {
    queue.push([field, name, value]);
    if (busy) return;
    busy = true;
    while (queue.length) {
      const [padName, key, added] = queue.shift(), facts = new URLSearchParams(new FormData(form)), next = `next.${padName}`;
      facts.delete("asked");
      facts.append(key, added);
      try {
        const text = await askServer(`${form.action.split("?")[0]}?${facts}`), id = `field-${padName.replaceAll(".", "-")}`;
        if (text === null) {
          queue.length = 0;
          updatePads();
          showSilence(document.getElementById(id));
          break;
        }
        const page = new DOMParser().parseFromString(text, "text/html");
        const fresh = page.getElementById(id), before = document.getElementById(id), chosen = form.elements[next]?.value;
        for (const one of fresh.querySelectorAll("details[data-pad]")) one.open = added !== "" || before.querySelector("details[data-pad]").open;
        before.replaceWith(fresh);
        const earlierChoice = chosen !== (facts.get(next) ?? undefined) && [...fresh.querySelectorAll(`input[name="${next}"]`)].find((input) => input.value === chosen);
        if (earlierChoice) earlierChoice.checked = true;
        updatePads();
        document.dispatchEvent(new Event("form:exchanged"));
        const again = [...fresh.querySelectorAll("button:not(:disabled)")].find((button) => button.name === key && button.value === added);
        if (added) (again || fresh.querySelector(".cardkey:not(:disabled)") || fresh.querySelector("button"))?.focus({ preventScroll: true });
      } catch {
        queue.length = 0;
        const button = document.createElement("button");
        Object.assign(button, { name: key, value: added, hidden: true });
        form.append(button);
        form.requestSubmit(button); // the server has to say it itself
      }
    }
    busy = false;
  };

  // One card alone is picked: on to the next pad that is still empty.
  let tappedAt = 0;
  form.addEventListener("pointerup", () => { tappedAt = Date.now(); });
  form.addEventListener("change", (event) => {
    updatePads();
    for (const course of form.querySelectorAll("[data-follows]"))
      if (course.dataset.follows.split(" ").includes(event.target.name)) takeStep(course.dataset.pad || course.dataset.course, course.dataset.refresh, "");
    const pad = event.target.closest("[data-pad]"), goOn = form.querySelector("[data-go-on]");
    if (goOn && Date.now() - tappedAt < 700 && form.elements.elder?.value && form.elements.turn_up?.value) return form.requestSubmit(goOn);
    if (!pad || pad.dataset.kind !== "radio" || Date.now() - tappedAt > 700) return;
    pad.open = false;
    const pads = allPads(), next = pads.slice(pads.indexOf(pad) + 1).find((other) => other.getAttribute("name") === "pads" && other.checkVisibility?.() && !pickedCards(other).length);
    if (next) next.open = true;
    else pad.querySelector("summary").focus({ preventScroll: true });
  });

  // What is blank stays out of the address.
  form.addEventListener("submit", (event) => {
    if (!navigator.onLine) {
      event.preventDefault();
      return showSilence(event.submitter?.closest("[data-pad]") ?? form);
    }
    for (const input of form.elements)
      if (input.matches('input:not([type="radio"], [type="checkbox"], [type="hidden"]), select') && input.name && input.value === "") input.disabled = true;
    for (const input of form.querySelectorAll('input[type="radio"][value=""]:checked')) input.disabled = true;
  });
  addEventListener("pageshow", () => {
    for (const input of form.querySelectorAll(":disabled:not(.cardkey):not(.cardkey *):not([data-where] *)")) input.disabled = false;
    updatePads();
  });

  document.addEventListener("page:exchanged", updatePads);
  updatePads();
})();
