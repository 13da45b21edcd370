// What the deal comes to, shown while it is typed; the sentences at the fields; and what follows from the other side.
(() => {
  /** @type {number | undefined} */
  let timer;
  /** @type {AbortController | undefined} */
  let request;
  let unanswered = false; // asked again until the server answers

  // A number that follows is written into its field and stays changeable. It is sent as an empty field, so that
  // what is saved follows from what was typed and not from what was on the page a moment before.
  /** @param {HTMLInputElement} input */
  const follows = (input) => "follows" in input.dataset;
  /** @param {HTMLFormElement} form */
  const fillFollowing = (form) => {
    const told = form.querySelector("[data-every]:checked"); // then its points are both fields'
    for (const input of restFields(form)) {
      const typing = !told && (input === document.activeElement || input.classList.contains("aimed"));
      if (!follows(input) && (input.value !== "" || typing)) continue;
      input.value = input.placeholder;
      input.toggleAttribute("data-follows", input.value !== "");
    }
  };

  const dealForm = () => /** @type {HTMLFormElement | null} */ (document.getElementById("deal"));
  /** @param {HTMLFormElement} form */
  const restFields = (form) => /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[data-rest]"));

  // The first sentence stands above the buttons; the fields that are wrong are framed.
  /** @param {HTMLFormElement} form @param {Map<string | undefined, string>} sentences by the place of what is wrong */
  const showFaults = (form, sentences) => {
    for (const place of form.querySelectorAll("[data-at]")) {
      place.innerHTML = sentences.get(place.dataset.at) || "";
      place.toggleAttribute("data-wrong", sentences.has(place.dataset.at));
    }
    for (const field of form.querySelectorAll(".points input.sum, #bid_other")) {
      const places = (field.getAttribute("aria-describedby") ?? "").split(" ");
      field.setAttribute("aria-invalid", String(places.some((id) => document.getElementById(id)?.hasAttribute("data-wrong"))));
    }
  };

  /** @param {HTMLFormElement} form @param {string} html */
  const showPreview = (form, html) => {
    const box = form.querySelector("#comes-to");
    if (!box) return;
    box.innerHTML = html;
    const sentences = new Map();
    for (const sentence of box.querySelectorAll(".live-faults [data-for]")) {
      sentences.set(sentence.dataset.for, (sentences.get(sentence.dataset.for) || "") + sentence.innerHTML);
    }
    for (const field of restFields(form)) {
      field.placeholder = /** @type {HTMLOutputElement | null} */ (box.querySelector(`[data-rest-of="${field.dataset.rest}"]`))?.value ?? "";
    }
    for (const total of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-becomes]"))) {
      total.textContent = /** @type {HTMLDataElement | null} */ (box.querySelector(`[data-total-of="${total.dataset.becomes}"]`))?.value ?? "";
    }
    fillFollowing(form);
    showFaults(form, sentences);
  };

  const loadPreview = async () => {
    const form = dealForm();
    if (!form) return;
    request?.abort();
    const asked = request = new AbortController(), slow = setTimeout(() => showSilence(form), 3000);
    try {
      const response = await fetch(form.dataset.preview ?? "", { method: "POST", body: new FormData(form), signal: asked.signal });
      const html = await response.text();
      if (response.status >= 500 || response.status === 429 || !response.headers.has("X-Version")) throw new Error(String(response.status));
      unanswered = false;
      if (response.ok) showPreview(form, html);
    } catch {
      if (asked.signal.aborted) return;
      showSilence(form);
      schedulePreview(5000);
    } finally {
      clearTimeout(slow);
    }
  };

  // Said once: what a tap was answered meanwhile is not talked over. What followed may not follow any more.
  /** @param {HTMLFormElement} form */
  const showSilence = (form) => {
    if (!unanswered) form.querySelector("#comes-to").textContent = form.dataset.offline ?? "";
    unanswered = true;
    for (const field of restFields(form)) field.placeholder = "";
    for (const total of form.querySelectorAll("[data-becomes]")) total.textContent = "";
    fillFollowing(form);
  };

  const fillAll = () => {
    const form = dealForm();
    if (form) fillFollowing(form);
  };

  /** @param {number} wait */
  const schedulePreview = (wait) => { clearTimeout(timer); timer = setTimeout(loadPreview, wait); };

  document.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    delete field.dataset?.follows;
    // Other points than those of every trick.
    if (field.matches?.(".points input.sum")) {
      for (const tile of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-every]"))) tile.checked = false;
    }
    if (field.form?.id !== "deal" || field.id === "note") return;
    unanswered = false;
    schedulePreview(field.type === "radio" ? 0 : 250);
  });
  document.addEventListener("deal:unanswered", () => {
    unanswered = true;
    schedulePreview(5000);
  });
  addEventListener("online", () => { if (unanswered) schedulePreview(0); });
  // The page's form was exchanged for a newer one: what was asked before is of no use any more.
  document.addEventListener("deal:exchanged", () => {
    clearTimeout(timer);
    request?.abort();
    fillAll();
  });
  document.addEventListener("formdata", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[data-follows]"))) event.formData.set(input.name, "");
  });
  // Typed over as a whole.
  document.addEventListener("focusin", ({ target }) => {
    const field = /** @type {HTMLInputElement} */ (target);
    if (field.matches?.("#deal input[data-follows]")) field.select();
  });
  fillAll();
})();
