// Where the keyboard covers the lower part of a page instead of making it smaller, the bar at its foot is raised above it.
(() => {
  const { visualViewport: seen } = window;
  if (!seen) return;
  const raise = () => {
    const covered = seen.scale > 1.01 ? 0 : Math.max(0, Math.round(innerHeight - seen.height - seen.offsetTop));
    document.documentElement.style.setProperty("--covered", `${covered}px`);
  };
  for (const change of ["resize", "scroll"]) seen.addEventListener(change, raise);
})();
