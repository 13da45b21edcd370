// Every visible box of a page: its path in the tree, from where to where it stretches, how far it stands below the box
// before it, and of one with nothing but text in it the height of that, its lines and theirs.
return (() => {
  const OFFERED = "label:has(#awake), [data-print], [data-share]"; // where a browser can do it
  const range = document.createRange();
  const isBox = (element) => {
    const { display } = getComputedStyle(element);
    return element.checkVisibility() && !/^(-webkit-)?inline/.test(display) && !/contents|table-column/.test(display);
  };
  const name = (element) => {
    const place = [...element.parentElement.children].indexOf(element);
    return `${element.localName}${element.id && `#${element.id}`}:${place}`;
  };
  const measureText = (element) => {
    range.selectNodeContents(element);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width && height).sort((a, b) => a.bottom - b.bottom);
    let lines = 0, below = -Infinity;
    for (const { top, bottom } of rects) {
      if ((top + bottom) / 2 < below) continue;
      lines += 1;
      below = bottom;
    }
    return [rects.length ? below - Math.min(...rects.map(({ top }) => top)) : 0, lines];
  };
  const boxes = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.parentElement.closest("svg") || element.closest(OFFERED) || !isBox(element)) continue;
    const box = element.getBoundingClientRect(), parent = getComputedStyle(element.parentElement);
    if (box.width <= 2 || box.height <= 2) continue; // for readers of the screen
    const path = [];
    for (let around = element; around !== document.body; around = around.parentElement) path.unshift(name(around));
    let before = element.previousElementSibling;
    while (before && !isBox(before)) before = before.previousElementSibling;
    const above = (before ?? element.parentElement).getBoundingClientRect();
    const gap = box.top - (before && above.bottom <= box.top + 1 ? above.bottom : above.top); // or beside each other
    const isText = !element.matches("svg, details") && ![...element.querySelectorAll("*")].some(isBox);
    const [height, lines] = isText ? measureText(element) : [0, 0];
    const isFixed = /fixed|sticky/.test(getComputedStyle(element).position);
    const isOffered = [...element.children].some((child) => child.matches(OFFERED)); // and as wide as that
    const flows = isOffered || parent.flexWrap === "wrap" || parent.display.startsWith("inline") || /table-(row|cell)/.test(parent.display);
    boxes.push([path.join(" "), box.left, box.right, isFixed ? 0 : gap, height, lines, parseFloat(getComputedStyle(element).lineHeight) || 24, flows]);
  }
  return boxes;
})();
