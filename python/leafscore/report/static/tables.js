// Tables: sorting by their heads, and filters that hide rows and sections.
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  function keyOf(cell) {
    if (!cell) return "";
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    return cell.classList.contains("n") ? NaN : cell.textContent.trim().toLocaleLowerCase();
  }

  // What has no figure stays at the end, whichever way the others go.
  function compare(a, b, sign) {
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
  }

  function sort(table, column, descending) {
    const body = table.tBodies[0];
    const rows = all("tr", body).map((row) => ({ row, key: keyOf(row.cells[column]) }));
    rows.sort((a, b) => compare(a.key, b.key, descending ? -1 : 1));
    body.append(...rows.map(({ row }) => row));
    all("thead th", table).forEach((head, index) => {
      if (index === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  function makeSortable(table) {
    all("thead th", table).forEach((head, column) => {
      if (head.classList.contains("range")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const numbers = head.classList.contains("n");
        sort(table, column, before ? before === "ascending" : numbers);
      });
    });
  }

  const form = document.getElementById("filters");
  const found = document.getElementById("found");

  // Texts are compared without case and accents, each word of the search on its own.
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const texts = new WeakMap();
  function textOf(row) {
    if (!texts.has(row)) texts.set(row, plain(`${row.textContent} ${row.dataset.fields ?? ""}`)); // also fields not shown
    return texts.get(row);
  }

  function filter() {
    const wanted = Object.fromEntries(new FormData(form));
    const words = plain(wanted.text || "").split(/\s+/).filter(Boolean);
    const fits = (row) =>
      ["model", "outcome"].every((key) => !wanted[key] || !(key in row.dataset) || row.dataset[key] === wanted[key]);
    for (const element of all("[data-scorer]")) {
      element.hidden = Boolean(wanted.scorer) && element.dataset.scorer !== wanted.scorer;
    }
    for (const row of all("table.filtered tbody tr")) {
      const scorer = !wanted.scorer || !("scorer" in row.dataset) || row.dataset.scorer === wanted.scorer;
      row.hidden = !scorer || !fits(row) || !words.every((word) => textOf(row).includes(word));
    }
    const rows = all("#worst-table tbody tr");
    const shown = rows.filter((row) => !row.hidden).length;
    if (rows.length) found.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows of records`;
    document.dispatchEvent(new Event("filtered"));
  }

  // On a narrow screen each row is a card, where a cell needs the head of its column.
  function label(table) {
    const heads = all("thead th", table).map((head) => head.textContent.trim());
    table.classList.add("stacks");
    for (const row of table.tBodies[0].rows) {
      [...row.cells].forEach((cell, column) => (cell.dataset.label = heads[column]));
    }
  }

  all("table.sortable, table.ledger").forEach(label);
  all("table.sortable").forEach(makeSortable);
  if (form) {
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("change", filter);
    form.addEventListener("reset", () => setTimeout(filter));
    form.addEventListener("submit", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.getElementById("overview").hidden) return;
      event.preventDefault();
      form.elements.text.focus();
    });
    filter();
  }
})();
