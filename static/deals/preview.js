// What the deal comes to, shown while it is typed; and the sentences at the fields.
(() => {
  let timer, request;

  const showPreview = (form, html) => {
    const box = form.querySelector("#comes-to");
    if (!box) return;
    box.innerHTML = html;
    const sentences = new Map();
    for (const sentence of box.querySelectorAll(".live-faults [data-for]")) {
      sentences.set(sentence.dataset.for, (sentences.get(sentence.dataset.for) || "") + sentence.innerHTML);
    }
    for (const field of form.querySelectorAll("input[data-rest]")) {
      field.placeholder = box.querySelector(`[data-rest-of="${field.dataset.rest}"]`)?.value ?? "";
    }
    for (const place of form.querySelectorAll("[data-at]")) place.innerHTML = sentences.get(place.dataset.at) || "";
  };

  const loadPreview = async () => {
    const form = document.getElementById("deal");
    if (!form) return;
    request?.abort();
    request = new AbortController();
    try {
      const response = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), signal: request.signal });
      if (response.ok) showPreview(form, await response.text());
    } catch (error) {
      if (error.name !== "AbortError") form.querySelector("#comes-to").textContent = form.dataset.offline;
    }
  };

  const schedulePreview = (wait) => { clearTimeout(timer); timer = setTimeout(loadPreview, wait); };

  document.addEventListener("input", (event) => {
    if (event.target.form?.id === "deal" && event.target.id !== "note") schedulePreview(event.target.type === "radio" ? 0 : 250);
  });
  // The page's form was exchanged for a newer one: what was asked before is of no use any more.
  document.addEventListener("deal:exchanged", () => { clearTimeout(timer); request?.abort(); });
})();
