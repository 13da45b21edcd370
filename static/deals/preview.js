// What the deal comes to, shown while it is typed; and the sentences at the fields.
(() => {
  let timer, running;

  const say = (form, html) => {
    const box = form.querySelector("#comes-to");
    if (!box) return;
    box.innerHTML = html;
    const found = new Map();
    for (const one of box.querySelectorAll(".live-faults [data-for]")) {
      found.set(one.dataset.for, (found.get(one.dataset.for) || "") + one.innerHTML);
    }
    for (const field of form.querySelectorAll("input[data-rest]")) {
      field.placeholder = box.querySelector(`[data-rest-of="${field.dataset.rest}"]`)?.value ?? "";
    }
    for (const place of form.querySelectorAll("[data-at]")) place.innerHTML = found.get(place.dataset.at) || "";
  };

  const look = async () => {
    const form = document.getElementById("deal");
    if (!form) return;
    running?.abort();
    running = new AbortController();
    try {
      const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), signal: running.signal });
      if (answer.ok) say(form, await answer.text());
    } catch (error) {
      if (error.name !== "AbortError") form.querySelector("#comes-to").textContent = form.dataset.offline;
    }
  };

  const soon = (wait) => { clearTimeout(timer); timer = setTimeout(look, wait); };

  document.addEventListener("input", (event) => {
    if (event.target.form?.id === "deal" && event.target.id !== "note") soon(event.target.type === "radio" ? 0 : 250);
  });
  // The page's form was exchanged for a newer one: what was asked before is of no use any more.
  document.addEventListener("deal:exchanged", () => { clearTimeout(timer); running?.abort(); });
})();
