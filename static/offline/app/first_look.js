// On the pages of a folder of files, before any module: chooses the language, and says what a browser lacks that runs no modules.
(() => {
  const { protocol, pathname, search, hash, href } = location, { begins, at } = document.documentElement.dataset;
  if (begins === undefined) return choose();
  const lack = protocol === "file:" ? "file" : window.isSecureContext ? undefined : "insecure";
  if (lack) for (const place of document.querySelectorAll("[data-in]")) place.hidden = place.dataset.in !== lack;

  // Leads to the first page in the language of the address, else in that of the browser. The rest of the address goes along.
  function choose() {
    const base = new URL(at ?? "./", href), links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("a[lang]")]);
    const wanted = [pathname.slice(base.pathname.length).split("/")[0], ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
    const link = wanted.map((code) => links.find(({ lang }) => lang === code)).find(Boolean) ?? links[0];
    if (link.pathname === pathname) return; // the folder is at another place than it was made for
    const isHere = protocol === "file:" || pathname === base.pathname || pathname === `${base.pathname}index.html`;
    const to = new URLSearchParams(search).get("to") ?? (isHere ? "" : pathname + search);
    location.replace(link.href + (to && `?to=${encodeURIComponent(to)}`) + hash);
  }
})();
