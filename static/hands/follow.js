// Taps that tell one thing more of the hand, without loading the page anew. Without this script, or where
// an answer does not come, the same buttons send the form.
(() => {
  let busy = false;
  const leavesPage = /^(lost|draw|drop)/;
  const isSuit = /^(trump|second)/; // tapped further down, where they stay under the finger

  const exchangeForm = (form, html, action) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = holder.content.querySelector("#follow");
    if (!fresh) throw new Error("no form");
    const headingBefore = form.querySelector("h1").textContent, at = scrollY;
    form.replaceWith(fresh);
    if (isSuit.test(action)) for (const tick of form.querySelectorAll("input:checked")) fresh.querySelector(`input[name="${tick.name}"][value="${tick.value}"]`)?.click();
    document.dispatchEvent(new Event("form:exchanged"));
    const sameButton = [...fresh.querySelectorAll('button[name="do"]')].find((button) => button.value === action);
    (sameButton ?? fresh.querySelector(".dock .primary, .dock button"))?.focus({ preventScroll: true });
    const heading = fresh.querySelector("h1").textContent;
    if (heading !== headingBefore) document.getElementById("heard").textContent = heading;
    scrollTo({ top: isSuit.test(action) ? at : 0 }); // whose turn it is stands at the top
    fresh.querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target, action = event.submitter?.value ?? "look";
    if (form.id !== "follow" || leavesPage.test(action)) return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    const data = new FormData(form);
    data.set("do", action);
    try {
      const response = await fetch(form.action, { method: "POST", body: data, headers: { "X-Part": "form" } });
      exchangeForm(form, await response.text(), action);
    } catch {
      const button = document.createElement("input");
      Object.assign(button, { type: "hidden", name: "do", value: action });
      form.append(button);
      form.submit(); // the server, or the browser, has to say it itself
    } finally {
      busy = false;
    }
  }, true);
})();
