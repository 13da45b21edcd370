// What does not fit on a page; `whole` is the longest word that must not be broken.
(whole => {
  const wrong = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) wrong.push(`page ${document.documentElement.scrollWidth} > ${width}`);
  // Read aloud alone: the element, or one around it, is clipped to nothing.
  const isClipped = element => element !== null && (getComputedStyle(element).clipPath !== "none" || isClipped(element.parentElement));
  const boxes = "button, .btn, .tab, .choice > span, .who, td, th, legend, .switch-name, .points-side > label";
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement;
    if (!text.data.trim() || !holder.checkVisibility() || holder.closest(".unseen, .unsaid, svg, legend[style]")) continue;
    if (isClipped(holder)) continue;
    range.selectNodeContents(text);
    const box = holder.closest(boxes)?.getBoundingClientRect();
    // A name that is cut with an ellipsis on purpose: what shows of it has to fit.
    const lines = getComputedStyle(holder).textOverflow === "ellipsis" ? holder.getClientRects() : range.getClientRects();
    let scrolled = false;
    for (let around = holder; around.id !== "main" && !scrolled; around = around.parentElement)
      scrolled = ["auto", "scroll"].includes(getComputedStyle(around).overflowX);
    for (const line of lines) {
      if (!line.width) continue;
      if (!scrolled && (line.left < -1 || line.right > width + 1)) wrong.push(`off the screen: ${text.data.trim()}`);
      // Digits of running totals stand on the line below them, and have nothing that would hang down from it.
      const isRuled = holder.closest(".s-totals"), isBeside = box && (line.left < box.left - 1 || line.right > box.right + 1);
      if (isBeside || (box && !isRuled && (line.top < box.top - 2 || line.bottom > box.bottom + 2)))
        wrong.push(`out of its box: ${text.data.trim()} in ${holder.closest(boxes).className || holder.closest(boxes).tagName}`);
      for (let around = holder; around.id !== "main"; around = around.parentElement) {
        const style = getComputedStyle(around), edge = around.getBoundingClientRect();
        if (["hidden", "clip"].includes(style.overflowX) && (line.left < edge.left - 1 || line.right > edge.right + 1))
          wrong.push(`cut off: ${text.data.trim()}`);
        if (["hidden", "clip"].includes(style.overflowY) && (line.top < edge.top - 1 || line.bottom > edge.bottom + 1))
          wrong.push(`cut off below: ${text.data.trim()}`);
      }
    }
    if (holder.closest(".rule-id")) continue;
    for (const word of text.data.matchAll(/[^\s-]+/g)) {
      if (word[0].length > whole) continue;
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((line) => line.width).map((line) => Math.round(line.top)));
      if (lines.size > 1) wrong.push(`broken: ${word[0]} in ${holder.className || holder.tagName}`);
    }
  }
  for (const box of document.querySelectorAll("main :is(button, a.btn, .choice > span, input.sum)")) {
    if (!box.checkVisibility() || box.closest(".unseen, .unsaid")) continue;
    const edge = box.getBoundingClientRect();
    if (edge.left < -1 || edge.right > width + 1) wrong.push(`off the screen: ${box.outerHTML.slice(0, 80)}`);
    if (box.scrollWidth > box.clientWidth + 1) wrong.push(`wider than its box: ${box.outerHTML.slice(0, 80)}`);
  }
  return [...new Set(wrong)];
})
