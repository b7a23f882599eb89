// A record's page is the address #rN: it takes the place of the overview, with the records before and after it.
(() => {
  const overview = document.getElementById("overview");
  const title = document.title;
  const pages = new Map([...document.querySelectorAll(".record")].map((page) => [page.id, page]));
  let last = null; // the link that led to a page, to come back to
  let scrolled = 0;

  const pageOf = (hash) => pages.get(decodeURIComponent(hash.slice(1)));

  // The pages in the order of the table, without rows that filters hide.
  function order() {
    const links = document.querySelectorAll("#worst-table tbody tr:not([hidden]) a");
    return [...new Set([...links].map((link) => link.hash.slice(1)))];
  }

  function link(text, id, key) {
    const made = document.createElement(id ? "a" : "span");
    made.textContent = text;
    if (id) made.href = `#${id}`;
    if (key) made.setAttribute("aria-keyshortcuts", key);
    return made;
  }

  function fillNavigation(page) {
    const ids = order();
    const place = ids.indexOf(page.id);
    const navigation = page.querySelector(".record-nav");
    const where = link(place < 0 ? "" : `${place + 1} of ${ids.length}`);
    where.className = "muted";
    navigation.replaceChildren(
      link("All records", "worst", "Escape"),
      link("Previous", ids[place - 1], "ArrowLeft"),
      link("Next", place < 0 ? ids[0] : ids[place + 1], "ArrowRight"),
      where,
    );
  }

  function hideEqualPlaces(page) {
    for (const table of page.querySelectorAll(".ledger:not([data-ready])")) {
      table.dataset.ready = "";
      const same = table.querySelectorAll("tr.same").length;
      if (!same || same === table.tBodies[0].rows.length) continue;
      const label = document.createElement("label");
      const box = document.createElement("input");
      box.type = "checkbox";
      label.className = "show-same";
      label.append(box, ` Show the ${same} that match, too`);
      box.addEventListener("change", () => table.classList.toggle("short", !box.checked));
      table.classList.add("short");
      table.parentElement.before(label);
    }
  }

  function show() {
    const page = pageOf(location.hash);
    for (const other of pages.values()) other.hidden = other !== page;
    const wasPage = overview.hidden;
    overview.hidden = Boolean(page);
    document.title = page ? `${page.querySelector("h2").textContent} · ${title}` : title;
    if (page) {
      fillNavigation(page);
      hideEqualPlaces(page);
      scrollTo(0, 0);
      page.focus({ preventScroll: true });
    } else if (wasPage && last) {
      scrollTo(0, scrolled);
      last.focus({ preventScroll: true });
    }
  }

  document.addEventListener("keydown", (event) => {
    const page = pageOf(location.hash);
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox";
    if (!page || typing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const wanted = page.querySelector(`.record-nav a[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    const scrolls = event.target.closest(".scroll");
    if (!wanted || (scrolls && event.key.startsWith("Arrow") && scrolls.scrollWidth > scrolls.clientWidth)) return;
    event.preventDefault();
    location.hash = wanted.hash;
  });
  document.addEventListener("click", (event) => {
    const found = event.target.closest("#worst-table a");
    if (found) [last, scrolled] = [found, scrollY];
  });
  addEventListener("hashchange", show);

  // What scrolls sideways fades at the side where it goes on.
  const scrolling = [...document.querySelectorAll(".scroll, .bar nav")];
  function markSides(box) {
    box.classList.toggle("goes-left", box.scrollLeft > 1);
    box.classList.toggle("goes-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  }
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => markSides(target)));
  for (const box of scrolling) {
    sizes.observe(box);
    box.addEventListener("scroll", () => markSides(box), { passive: true });
  }

  // It can be scrolled by keys, too, so it takes the focus.
  for (const box of document.querySelectorAll(".scroll")) {
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    const caption = box.querySelector("caption");
    if (caption) box.setAttribute("aria-label", caption.textContent);
  }
  show();
})();
