// Charts in the colours of the theme, drawn when they come near the screen, and again when the theme or width changes.
(() => {
  const root = document.documentElement;
  const specifications = JSON.parse(document.getElementById("charts").textContent);
  const figures = [...document.querySelectorAll("[data-chart]")].filter((figure) => figure.dataset.chart in specifications);
  const drawn = new Map(); // figure: width

  // The colours of the theme, as their variables in the style sheet name them.
  function palette() {
    const probe = document.createElement("span");
    root.append(probe);
    const found = {};
    for (const name of ["ink", "muted", "line", "accent", "regressed", "inconclusive", "equivalent", "improved"]) {
      probe.style.color = `var(--${name})`;
      found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return found;
  }

  function configuration(colours, width) {
    const { ink, muted, line, accent } = colours;
    return {
      background: "transparent",
      font: getComputedStyle(root).getPropertyValue("--font").trim(),
      view: { stroke: null },
      axis: {
        labelColor: ink,
        titleColor: muted,
        gridColor: line,
        domainColor: line,
        tickColor: line,
        labelFontSize: 12,
        titleFontWeight: 500,
        labelLimit: 260,
        labelFlush: false,
        titlePadding: 8,
      },
      header: { labelColor: ink, labelFontSize: 12, labelFontWeight: 600 },
      legend: { labelColor: ink, titleColor: muted, labelFontSize: 12, columns: width < 460 ? 1 : 0 },
      range: { category: ["regressed", "inconclusive", "equivalent", "improved"].map((verdict) => colours[verdict]) },
      mark: { color: accent },
      rule: { color: accent },
      style: { base: { strokeWidth: 1.25 }, zero: { strokeDash: [4, 4] } },
    };
  }

  function draw(figure) {
    const width = figure.clientWidth;
    if (!width) return;
    drawn.set(figure, width);
    const colours = palette();
    const specification = structuredClone(specifications[figure.dataset.chart]);
    const special = { base: colours.ink, zero: colours.muted };
    for (const { mark } of (specification.spec ?? specification).layer) {
      if (mark.style in special) mark.color = special[mark.style];
    }
    const canvas = document.createElement("div");
    figure.replaceChildren(canvas);
    if (specification.spec) {
      const longest = Math.max(...specification.data.values.map(({ model }) => model.length), 0);
      const narrow = canvas.clientWidth < 560;
      const header = specification.facet.row.header;
      if (narrow) Object.assign(header, { labelOrient: "top", labelAnchor: "start", labelLimit: canvas.clientWidth });
      specification.spec.width = Math.max(120, canvas.clientWidth - (narrow ? 52 : 70 + 7 * longest));
    } else {
      specification.width = "container";
    }
    // The interpreter, as the page's policy forbids to make code of texts.
    vegaEmbed(canvas, specification, {
      ast: true,
      mode: "vega-lite",
      actions: false,
      renderer: "svg",
      logLevel: 1, // errors
      config: configuration(colours, width),
    });
  }

  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting && !drawn.has(entry.target)) draw(entry.target);
  }, { rootMargin: "600px" });
  // About as high as it will be, so that nothing moves when it is drawn.
  function heightOf({ height, data }) {
    return height ? height + 100 : 76 * new Set(data.values.map(({ model }) => model)).size + 85;
  }
  for (const figure of figures) {
    figure.hidden = false;
    figure.style.minHeight = `${heightOf(specifications[figure.dataset.chart])}px`;
    near.observe(figure);
  }
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      for (const [figure, width] of drawn) if (figure.clientWidth !== width) draw(figure);
    }, 150);
  });
  const redraw = () => [...drawn.keys()].forEach(draw);
  addEventListener("beforeprint", () => figures.forEach((figure) => drawn.has(figure) || draw(figure)));

  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  function label() {
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  }
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("leafscore-theme", root.dataset.theme);
    } catch (refused) {
      // Then it is the theme of this visit.
    }
    label();
    redraw();
  });
  system.addEventListener("change", () => {
    label();
    redraw();
  });
  label();
})();
