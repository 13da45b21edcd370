// Taps that add one thing to the hand, without loading the page again. Without this script the same buttons
// send the form. A tap that was not answered is marked beside its button, and can be sent again: it counts once.
(() => {
  let busy = false;
  /** @type {{action: string, fields: string} | null} */
  let unanswered = null; // the tap that has no answer yet: what it does, and the form as it was sent
  const leavesPage = /^(lost|draw|void|five-suited|six-coloured|drop)/;
  const staysPut = /^(trump|second|card)/; // tapped further down, where they stay under the finger
  /** @type {string[]} */
  let order = []; // who was ticked to have gone out, in the order of the ticks

  const followForm = () => /** @type {HTMLFormElement} */ (document.getElementById("follow"));
  /** @param {HTMLFormElement} form @param {string} action */
  const findButton = (form, action) => /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll('button[name="do"]')]).find(({ value }) => value === action);
  /** @param {string} selector @returns {HTMLInputElement[]} */
  const findTicks = (selector) => [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(selector))];

  class NoAnswer extends Error {}

  /** @param {HTMLFormElement} form @param {string} action */
  const askServer = async (form, action) => {
    const waiting = new AbortController(), timer = setTimeout(() => waiting.abort(), 10000);
    const data = new FormData(form);
    data.set("do", action);
    data.delete("out");
    for (const seat of orderTicked(order)) data.append("out", seat);
    let response, html;
    try {
      response = await fetch(form.action, { method: "POST", body: data, headers: { "X-Part": "form" }, signal: waiting.signal });
      html = await response.text();
    } catch {
      throw new NoAnswer();
    } finally {
      clearTimeout(timer);
    }
    if (response.status >= 500 || response.status === 429 || !response.headers.has("X-Version")) throw new NoAnswer(); // something between may have answered
    return html;
  };

  /** @param {HTMLFormElement} form @param {string} html @param {string} action */
  const exchangeForm = (form, html, action) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = /** @type {HTMLFormElement | null} */ (holder.content.querySelector("#follow"));
    if (!fresh) throw new Error("no form");
    const headingBefore = form.querySelector("h1").textContent, at = scrollY;
    form.replaceWith(fresh);
    beginOrder();
    const refused = fresh.querySelector("[role=alert]:not([hidden])");
    fresh.dispatchEvent(new Event(refused ? "form:exchanged" : "form:written", { bubbles: true }));
    const sameButton = findButton(fresh, action);
    (sameButton ?? fresh.querySelector(".dock .primary, .dock button"))?.focus({ preventScroll: true });
    const heading = fresh.querySelector("h1").textContent;
    if (heading !== headingBefore) document.getElementById("heard").textContent = heading;
    scrollTo({ top: staysPut.test(action) ? at : 0 }); // whose turn it is stands at the top
    fresh.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
  };

  // Two or more go out one after the other: the numbers beside their names say in which order.
  const showOrder = () => {
    for (const tick of findTicks('#follow input[name="out"]')) {
      const nth = order.length > 1 ? order.indexOf(tick.value) + 1 : 0;
      if (nth) tick.closest(".choice").dataset.nth = String(nth);
      else delete tick.closest(".choice").dataset.nth;
    }
  };

  // All who are ticked, those first whose order is known: ticks of a form that was kept come back by themselves.
  /** @param {string[]} known */
  const orderTicked = (known) => {
    const ticked = findTicks('#follow input[name="out"]:checked').map((tick) => tick.value);
    return [...known.filter((seat) => ticked.includes(seat)), ...ticked.filter((seat) => !known.includes(seat))];
  };

  // The server lists who was ticked before in their order.
  const beginOrder = () => {
    order = orderTicked((document.querySelector("#follow [data-order]")?.dataset.order ?? "").split(" "));
    showOrder();
  };
  beginOrder();
  addEventListener("pageshow", beginOrder);

  document.addEventListener("change", (event) => {
    const tick = /** @type {HTMLInputElement} */ (event.target);
    if (!tick.matches('#follow input[name="out"]')) return;
    order = order.filter((seat) => seat !== tick.value);
    if (tick.checked) order.push(tick.value);
    showOrder();
  });

  /** @param {HTMLFormElement} form */
  const fieldsOf = (form) => new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)])).toString();

  /** @param {HTMLFormElement} form @param {string} action */
  const showSilence = (form, action) => {
    const notice = form.querySelector(".not-sent"), button = findButton(form, action);
    unanswered = { action, fields: fieldsOf(form) };
    (button?.closest(".taps, .row, .suit-row") ?? form.querySelector(".taps")).after(notice);
    notice.querySelector("span").textContent = (navigator.onLine ? form.dataset.unanswered : form.dataset.offline) ?? "";
    notice.hidden = false;
    notice.scrollIntoView({ block: "nearest" });
  };

  /** @param {string} action */
  const tap = async (action) => {
    if (busy) return;
    busy = true;
    const form = followForm();
    form.querySelector(".not-sent").hidden = true;
    unanswered = null;
    try {
      exchangeForm(form, await askServer(form, action), action);
    } catch (error) {
      if (error instanceof NoAnswer) showSilence(form, action);
      else sendForm(form, action); // the server has to say it itself
    } finally {
      busy = false;
    }
  };

  /** @param {HTMLFormElement} form @param {string} action */
  const sendForm = (form, action) => {
    const button = document.createElement("input");
    Object.assign(button, { type: "hidden", name: "do", value: action });
    form.append(button);
    form.submit();
  };

  document.addEventListener("submit", (event) => {
    const action = event.submitter?.getAttribute("value") ?? "look";
    if (/** @type {Element} */ (event.target).id !== "follow" || leavesPage.test(action)) return;
    event.preventDefault();
    tap(action);
  }, true);

  document.addEventListener("click", (event) => {
    if (unanswered && /** @type {Element} */ (event.target).closest("#follow [data-again]")) tap(unanswered.action);
  });
  // By itself only what was tapped, and not what has been ticked since.
  addEventListener("online", () => {
    if (unanswered && unanswered.fields === fieldsOf(followForm())) tap(unanswered.action);
  });
})();
