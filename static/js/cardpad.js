// Taps that build the deal up (calls, runs, cards of the pad) without loading the page anew.
// Without this script the same buttons send the form, and the page comes back with the tap carried out.
(() => {
  const waiting = [];
  const narrow = matchMedia("(max-width: 56.24em)");
  let busy = false;

  const step = async (action) => {
    const form = document.getElementById("deal"), data = new FormData(form);
    data.set("do", action);
    const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Part": "form" } });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    exchange(form, await answer.text(), action);
  };

  const exchange = (form, html, action) => {
    const focused = document.activeElement?.id, open = form.querySelector("details.more")?.open;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = holder.content.querySelector("#deal");
    if (open) fresh.querySelector("details.more").open = true;
    form.replaceWith(fresh);
    const next = (focused && document.getElementById(focused)) ||
      fresh.querySelector(`button[name="do"][value="${CSS.escape(action)}"]:not(:disabled)`) || after(fresh, action);
    next?.focus({ preventScroll: true });
    if (action.startsWith("run:")) fresh.querySelector(".run:last-of-type")?.scrollIntoView({ block: "nearest" });
    if (action === "counting:cards" && narrow.matches) fresh.querySelector("#head-made").closest(".part").scrollIntoView();
    document.dispatchEvent(new CustomEvent("deal:exchanged"));
  };

  // Where the keyboard goes on when the tapped button is gone.
  const after = (form, action) => {
    const kind = action.split(":")[0];
    const places = { call: ".legal button", uncall: ".legal button", turn: ".legal button", card: ".dock .cardkey:not(:disabled)" };
    const runs = form.querySelectorAll(".run");
    if (kind === "run" && runs.length) return runs[runs.length - 1].querySelector("input[type=radio]");
    return form.querySelector(places[kind] || ".tab[aria-pressed=true]");
  };

  const work = async () => {
    if (busy) return;
    busy = true;
    while (waiting.length) {
      const action = waiting.shift();
      try {
        await step(action);
      } catch {
        // The server has to say it itself: send the form as if there were no script.
        const form = document.getElementById("deal"), button = document.createElement("button");
        button.name = "do";
        button.value = action;
        button.hidden = true;
        form.append(button);
        waiting.length = 0;
        form.requestSubmit(button);
      }
    }
    busy = false;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest('#deal button[name="do"]');
    if (!button || /^(save|draft|drop)/.test(button.value)) return;
    event.preventDefault();
    if (button.classList.contains("cardkey")) {
      button.disabled = true; // at once, so that a quick hand sees it
    }
    waiting.push(button.value);
    work();
  });

  // Who plays which suit says also which row of the card pad is trumps.
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (form?.id !== "deal" || !/^(bid|turn_up)$/.test(event.target.name)) return;
    if (form.elements.counting.value !== "cards") return;
    waiting.push("look");
    work();
  });
})();
