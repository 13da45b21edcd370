// Where the keyboard of a phone lies over the page instead of making it lower, the bar of actions stands above the keyboard.
const seen = window.visualViewport;

// A page that is magnified is smaller than its window without any keyboard; a bar that scrolls with its page stays where it is.
function raiseBar() {
  const bar = /** @type {HTMLElement | null} */ (document.querySelector("main > .actions"));
  if (!seen || !bar) return;
  const covered = seen.scale === 1 && getComputedStyle(bar).position === "sticky" ? Math.max(0, innerHeight - seen.height - seen.offsetTop) : 0;
  bar.style.transform = covered ? `translateY(-${covered}px)` : "";
}
seen?.addEventListener("resize", raiseBar);
seen?.addEventListener("scroll", raiseBar);
