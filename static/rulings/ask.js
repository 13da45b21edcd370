// Card pads of a question: shown where they are picked, in the order of the taps, each card in one place only.
(() => {
  const form = document.getElementById("ask");
  if (!form) return;
  const all = () => [...form.querySelectorAll("[data-pad]")];
  const named = (name) => all().find((pad) => pad.dataset.pad === name);
  const inputs = (pad) => [...pad.querySelectorAll(".cardkey > input")];
  const keys = (pad) => [...pad.querySelectorAll("button.cardkey")];
  const taken = (pad) => pad.querySelector("[data-taken]");
  const picked = (pad) => pad.dataset.kind === "step"
    ? [...pad.querySelectorAll("ol input")].flatMap((one) => one.value.split(" ").filter((word) => word.length > 1))
    : pad.dataset.kind === "submit"
    ? [...taken(pad).children].map((one) => one.value)
    : inputs(pad).filter((one) => one.checked).map((one) => one.value);

  const face = (pad, code) => {
    const key = [...pad.querySelectorAll(".cardkey")].find((one) => (one.querySelector("input") || one).value === code);
    const card = document.createElement("span");
    if (!key) return card;
    card.className = `card suit-${code.slice(-1)}`;
    card.append(...[...(key.querySelector(".face") || key).children].map((part) => part.cloneNode(true)));
    return card;
  };

  const draw = () => {
    const trump = form.querySelector('input[name="trump"]:checked')?.value, pads = all();
    for (const one of form.querySelectorAll("[data-where]")) {
      const [name, values] = one.dataset.where.split("=");
      one.hidden = one.disabled = !values.split(",").includes(form.elements[name]?.value);
    }
    for (const pad of pads) {
      const mine = picked(pad), heap = pad.dataset.heap, among = pad.dataset.among && named(pad.dataset.among);
      const elsewhere = heap === undefined ? [] :
        pads.filter((one) => one !== pad && one.dataset.heap === heap).flatMap(picked);
      const offered = among ? picked(among) : null;
      pad.querySelector("[data-picked]")?.replaceChildren(...mine.map((code) => face(pad, code)));
      const full = pad.dataset.most && mine.length >= Number(pad.dataset.most);
      for (const one of inputs(pad))
        one.disabled = !one.checked && (elsewhere.includes(one.value) || (offered?.length > 0 && !offered.includes(one.value)) || (full && one.type === "checkbox"));
      for (const one of keys(pad)) one.disabled = full || mine.includes(one.value) || elsewhere.includes(one.value);
      for (const row of pad.querySelectorAll(".cardpad-row")) row.classList.toggle("trump", row.dataset.suit === trump);
      const drop = pad.querySelector("[data-drop]");
      if (drop) drop.value = mine.at(-1) || "";
      const tools = pad.querySelector(".pad-tools");
      if (tools && pad.dataset.kind !== "step") tools.hidden = !mine.length;
    }
  };

  const put = (pad, code) => {
    const one = document.createElement("input");
    one.type = "hidden";
    one.name = pad.dataset.pad;
    one.value = code;
    taken(pad).append(one);
  };

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button"), pad = event.target.closest("[data-pad]");
    if (!button || !pad) return;
    if (pad.dataset.kind === "step") {
      if (button.matches(".cardkey")) button.disabled = true; // at once, so that a quick hand sees it
      step(pad.dataset.pad, button.name, button.value);
    } else if (button.matches(".cardkey")) put(pad, button.value);
    else if (button.matches("[data-drop]")) taken(pad).lastElementChild?.remove();
    else if (button.matches("[data-clear]")) {
      taken(pad)?.replaceChildren();
      for (const one of inputs(pad)) one.checked = false;
    } else return;
    event.preventDefault();
    if (pad.dataset.kind === "step") return;
    draw();
    if (button.disabled) pad.querySelector(".cardkey:not(:disabled)")?.focus({ preventScroll: true });
  });

  // What is played one after another is put together by the server, tap by tap; only its field is exchanged.
  const waiting = [];
  let busy = false;
  const step = async (field, name, value) => {
    waiting.push([field, name, value]);
    if (busy) return;
    busy = true;
    while (waiting.length) {
      const [at, key, told] = waiting.shift(), facts = new URLSearchParams(new FormData(form)), next = `next.${at}`;
      facts.delete("asked");
      facts.append(key, told);
      try {
        const answer = await fetch(`${form.action.split("?")[0]}?${facts}`);
        if (!answer.ok) throw new Error(answer.status);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html"), id = `field-${at.replaceAll(".", "-")}`;
        const fresh = page.getElementById(id), chosen = form.elements[next]?.value;
        document.getElementById(id).replaceWith(fresh);
        fresh.querySelector("details").open = true;
        const kept = chosen !== (facts.get(next) ?? undefined) && [...fresh.querySelectorAll(`input[name="${next}"]`)].find((one) => one.value === chosen);
        if (kept) kept.checked = true;
        draw();
        const again = [...fresh.querySelectorAll("button:not(:disabled)")].find((one) => one.name === key && one.value === told);
        if (told) (again || fresh.querySelector(".cardkey:not(:disabled)"))?.focus({ preventScroll: true });
      } catch {
        waiting.length = 0;
        const button = document.createElement("button");
        Object.assign(button, { name: key, value: told, hidden: true });
        form.append(button);
        form.requestSubmit(button); // the server has to say it itself
      }
    }
    busy = false;
  };

  // One card alone is picked: on to the next pad that is still empty.
  let tapped = 0;
  form.addEventListener("pointerup", () => { tapped = Date.now(); });
  form.addEventListener("change", (event) => {
    draw();
    const course = form.querySelector('[data-kind="step"]');
    if (course && ["attacker", "defender", "out"].includes(event.target.name)) step(course.dataset.pad, `play.${course.dataset.pad}`, "");
    const pad = event.target.closest("[data-pad]"), goOn = form.querySelector("[data-go-on]");
    if (goOn && Date.now() - tapped < 700 && form.elements.elder?.value && form.elements.turn_up?.value) return form.requestSubmit(goOn);
    if (!pad || pad.dataset.kind !== "radio" || Date.now() - tapped > 700) return;
    pad.open = false;
    const pads = all(), next = pads.slice(pads.indexOf(pad) + 1).find((one) => one.getAttribute("name") === "pads" && one.checkVisibility?.() && !picked(one).length);
    if (next) next.open = true;
    else pad.querySelector("summary").focus({ preventScroll: true });
  });

  // What is blank stays out of the address.
  form.addEventListener("submit", () => {
    for (const one of form.elements)
      if (one.matches('input:not([type="radio"], [type="checkbox"], [type="hidden"]), select') && one.name && one.value === "") one.disabled = true;
    for (const one of form.querySelectorAll('input[type="radio"][value=""]:checked')) one.disabled = true;
  });
  addEventListener("pageshow", () => {
    for (const one of form.querySelectorAll(":disabled:not(.cardkey):not(.cardkey *):not([data-where] *)")) one.disabled = false;
    draw();
  });

  draw();
})();
