// Draws the charts of a page with Observable Plot, from the numbers in their tables. A chart is one stop of the
// keyboard: the arrow keys move from point to point, Enter follows the point's link. Pointing does the same.
(() => {
  const NEAR = 32, COLOURS = 6, SHAPES = ["circle", "square", "triangle", "diamond", "star", "cross"];
  const CONSTANT = ["band", "diagonal", "rule"];
  const DASHES = ["none", "6 3", "2 3", "8 3 2 3", "4 2", "1 3"];
  const colour = (place) => `var(--series-${(place % COLOURS) + 1})`;

  const valueOf = (cell) => {
    const number = cell.querySelector("data"), time = cell.querySelector("time");
    if (number) return Number(number.value);
    if (time) return new Date(time.dateTime);
    return cell.querySelector(".none") ? null : cell.textContent.trim();
  };

  const rowsOf = (figure, columns) => [...figure.querySelectorAll("tbody tr")].map((row) => {
    const cells = [...row.cells];
    return {
      values: Object.fromEntries(columns.map((name, place) => [name, valueOf(cells[place])])),
      texts: cells.map((cell) => cell.textContent.trim()),
      link: row.querySelector("a")?.getAttribute("href"),
    };
  });

  const seriesOf = (rows, name) => name ? [...new Set(rows.map((row) => row.values[name]))] : [undefined];

  // The marks that have a colour of their own.
  const drawn = (spec) => spec.marks.filter((mark) => !CONSTANT.includes(mark.kind));

  // A mark of Plot for each mark of the chart and each of its series.
  const marksOf = (spec, rows) => spec.marks.flatMap((mark) => {
    const across = spec.horizontal;
    const [place, value] = [(row) => row.values[spec.x.column], (row) => row.values[mark.y ?? spec.y.column]];
    const column = (name) => (row) => row.values[name];
    const faint = { stroke: "currentColor", strokeOpacity: .5, strokeDasharray: "4 3" };
    if (mark.kind === "diagonal") {
      const known = rows.flatMap((row) => [place(row), value(row)]).filter((each) => each !== null);
      return [Plot.lineY([Math.min(...known), Math.max(...known)], { x: (end) => end, y: (end) => end, ...faint })];
    }
    if (mark.kind === "rule") {
      const beside = across ? { x: [mark.at], frameAnchor: "top", dy: -8 }
        : { y: [mark.at], frameAnchor: "right", textAnchor: "end", dy: -8 };
      return [
        across ? Plot.ruleX([mark.at], faint) : Plot.ruleY([mark.at], faint),
        ...(mark.name ? [Plot.text([mark.name], { ...beside, text: [mark.name], fill: "currentColor" })] : []),
      ];
    }
    if (mark.kind === "band") {
      return [Plot.rectY([mark], { y1: [mark.at], y2: [mark.to], fill: "currentColor", fillOpacity: .12 })];
    }
    return seriesOf(rows, mark.series).flatMap((series, number) => {
      const part = rows.filter((row) => mark.series === undefined || row.values[mark.series] === series);
      const known = part.filter((row) => value(row) !== null || mark.kind === "box");
      const style = mark.series ? number : drawn(spec).indexOf(mark), hue = colour(style);
      const [dashes, symbol] = [DASHES[style % DASHES.length], SHAPES[style % SHAPES.length]];
      const at = across ? { x: value, y: place } : { x: place, y: value };
      switch (mark.kind) {
        case "line":
          return [Plot.lineY(known, { ...at, stroke: hue, strokeWidth: 2, strokeDasharray: dashes })];
        case "bar":
          if (spec.x.scale === "time") return [Plot.rectY(known, { ...at, interval: "hour", fill: hue })];
          return [(across ? Plot.barX : Plot.barY)(known, { ...at, fill: hue })];
        case "interval": {
          const ends = across ? { y: place, x1: column("low"), x2: column("high") }
            : { x: place, y1: column("low"), y2: column("high") };
          return [
            (across ? Plot.ruleY : Plot.ruleX)(known, { ...ends, stroke: hue, strokeWidth: 2 }),
            Plot.dot(known, { ...at, fill: hue, r: 4, symbol }),
          ];
        }
        case "box": {
          const side = across ? "y" : "x", [low, high] = across ? ["x1", "x2"] : ["y1", "y2"];
          const inside = across ? { insetTop: 4, insetBottom: 4 } : { insetLeft: 8, insetRight: 8 };
          const ends = (from, to) => ({ [side]: place, [low]: column(from), [high]: column(to) });
          const [rule, bar, tick] = across ? [Plot.ruleY, Plot.barX, Plot.tickX]
            : [Plot.ruleX, Plot.barY, Plot.tickY];
          return [
            rule(part, { ...ends("low", "high"), stroke: hue }),
            bar(part, { ...ends("q1", "q3"), fill: hue, fillOpacity: .3, stroke: hue, ...inside }),
            tick(part, {
              [side]: place, [across ? "x" : "y"]: column("median"), stroke: hue, strokeWidth: 3, ...inside,
            }),
          ];
        }
        default: {
          const area = mark.size ? (row) => row.values[mark.size] : 14;
          const ringed = mark.marked ? known.filter((row) => row.values[mark.marked]) : [];
          const options = { ...at, symbol, r: mark.size ? area : 3.5 };
          return [
            Plot.dot(known, { ...options, fill: hue, fillOpacity: .65, stroke: hue }),
            Plot.dot(ringed, { ...options, stroke: "var(--bad)", strokeWidth: 2 }),
          ];
        }
      }
    });
  });

  const language = document.documentElement.lang;
  const inUtc = (options) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC", numberingSystem: "latn" });
    return (time) => format.format(time);
  };
  const asHour = inUtc({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const asDay = inUtc({ day: "numeric", month: "short" });
  const isLong = (times) => Math.max(...times) - Math.min(...times) > 2 * 86400e3;

  const scaleOf = (axis, grid) => ({
    label: axis.label, grid, labelArrow: "none", nice: axis.scale === "linear",
    type: { category: "band", time: "utc", log: "log", linear: "linear" }[axis.scale],
    ...(axis.scale === "log" ? { tickFormat: "~g" } : {}),
    ...(axis.scale === "category" ? { domain: axis.domain } : axis.ends ? { domain: axis.ends, nice: false } : {}),
    ...(axis.scale === "time" ? { tickFormat: axis.isLong ? asDay : asHour } : {}),
  });

  // The key of a series in the legend: its dashes and its shape, or its colour for bars and boxes.
  const keyOf = (place, kinds) => {
    const has = (...names) => names.some((name) => kinds.includes(name));
    const key = Plot.plot({
      width: 28, height: 12, margin: 0, axis: null, x: { domain: [0, 28] }, y: { domain: [0, 12] },
      marks: [
        ...(has("bar", "box") ? [Plot.rectY([0], { x1: 8, x2: 20, y1: 0, y2: 12, fill: colour(place) })] : []),
        ...(has("line", "interval") ? [Plot.lineY([0, 28], {
          x: (end) => end, y: () => 6, stroke: colour(place), strokeWidth: 2,
          strokeDasharray: has("interval") ? "none" : DASHES[place % DASHES.length],
        })] : []),
        ...(has("dot", "interval") ? [Plot.dot([14], {
          x: 14, y: 6, r: 4, symbol: SHAPES[place % SHAPES.length], fill: colour(place),
        })] : []),
      ],
    });
    key.querySelector("style")?.remove();
    key.setAttribute("aria-hidden", "true");
    return key;
  };

  const legendOf = (spec, rows) => {
    const mark = spec.marks.find((each) => each.series);
    const kinds = (name) => spec.marks.filter((each) => each.series === name).map((each) => each.kind);
    const entries = mark ? seriesOf(rows, mark.series).map((name, place) => [name, place, kinds(mark.series)])
      : drawn(spec).map((each, place) => [each.name, place, [each.kind]]).filter(([name]) => name);
    if (entries.length < 2) return null;
    const list = document.createElement("ul");
    list.className = "legend";
    for (const [name, place, kinds] of entries) {
      const item = list.appendChild(document.createElement("li"));
      item.append(keyOf(place, kinds), name);
    }
    return list;
  };

  const longest = (values) => Math.max(...values.map((value) => String(value ?? "").length));

  const pictureOf = (spec, rows, width) => {
    const categories = [...new Set(rows.map((row) => row.values[spec.x.column]))];
    const named = spec.x.scale === "category";
    const [across, up] = spec.horizontal ? [spec.y, spec.x] : [spec.x, spec.y];
    const inOrder = (axis) => scaleOf(
      { ...axis, domain: categories, isLong: axis.scale === "time" && isLong(categories) }, axis.scale !== "category",
    );
    const picture = Plot.plot({
      width,
      height: spec.height || (spec.horizontal && named ? 60 + 26 * categories.length : Math.min(280, 120 + width / 3)),
      marginLeft: spec.horizontal && named ? Math.min(width / 3, 20 + 7 * longest(categories)) : 56,
      marginRight: 16, marginBottom: 44, marginTop: 24,
      x: { ...inOrder(across), labelAnchor: "right", labelOffset: 40 },
      y: { ...inOrder(up), labelAnchor: "top", ...(spec.horizontal && named ? { label: null } : {}) },
      r: { range: [3, 12] },
      marks: marksOf(spec, rows),
    });
    picture.querySelector("style")?.remove();
    return picture;
  };

  const centre = (scale, value) => scale.apply(value) + (scale.bandwidth ?? 0) / 2;

  // The points that can be read: every row that has a place in the picture, from left to right.
  const pointsOf = (spec, rows, picture) => {
    const scales = { x: picture.scale("x"), y: picture.scale("y") };
    const drawn = spec.marks.filter((mark) => !CONSTANT.includes(mark.kind));
    return rows.flatMap((row) => drawn.map((mark) => {
      const value = mark.kind === "box" ? row.values.median : row.values[mark.y ?? spec.y.column];
      const place = row.values[spec.x.column];
      if (value === null || place === null) return null;
      const [x, y] = spec.horizontal ? [value, place] : [place, value];
      return { row, x: centre(scales.x, x), y: centre(scales.y, y) };
    })).filter((point) => point && Number.isFinite(point.x) && Number.isFinite(point.y))
      .sort((one, other) => spec.horizontal ? one.y - other.y : one.x - other.x || other.y - one.y);
  };

  // The rows of the page's other tables, by the address of each link in them.
  const linkedRows = (figure) => {
    const rows = new Map();
    for (const link of document.querySelectorAll("tr a[href]")) {
      const address = link.getAttribute("href");
      if (!figure.contains(link)) rows.set(address, [...rows.get(address) ?? [], link.closest("tr")]);
    }
    return rows;
  };

  const draw = (figure) => {
    const place = figure.querySelector("[data-drawing]");
    if (!place) return;
    const spec = JSON.parse(figure.dataset.chart), rows = rowsOf(figure, spec.columns);
    const headings = [...figure.querySelectorAll("thead th")].map((heading) => heading.textContent.trim());
    const width = place.clientWidth || 480;
    figure.dataset.width = width;
    const picture = pictureOf(spec, rows, width), points = pointsOf(spec, rows, picture);
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-labelledby", `${figure.id}-title`);
    picture.setAttribute("aria-describedby", `${figure.id}-about`);
    picture.setAttribute("aria-roledescription", place.dataset.hint);
    picture.setAttribute("tabindex", "0");
    for (const part of picture.children) part.setAttribute("aria-hidden", "true");
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("class", "ring");
    ring.setAttribute("r", "7");
    ring.setAttribute("aria-hidden", "true");
    const readout = document.createElement("output");
    readout.className = "readout";
    readout.hidden = true;
    let current = -1;

    const linked = linkedRows(figure);
    const chosen = (on) => {
      for (const row of linked.get(points[current]?.row.link) ?? []) row.classList.toggle("chosen", on);
    };
    const leave = () => { chosen(false); current = -1; ring.remove(); readout.hidden = true; };
    const show = (number) => {
      if (number === current || !points[number]) return;
      chosen(false);
      current = number;
      chosen(true);
      const { row, x, y } = points[number];
      ring.setAttribute("cx", x);
      ring.setAttribute("cy", y);
      picture.append(ring);
      readout.textContent = row.texts.map((text, column) => `${headings[column]}: ${text}`).join("\n");
      readout.hidden = false;
      const scale = picture.getBoundingClientRect().width / width;
      readout.style.left = `${Math.min(x * scale + 12, Math.max(0, place.clientWidth - readout.offsetWidth))}px`;
      readout.style.top = `${Math.max(0, y * scale - readout.offsetHeight - 12)}px`;
    };
    const follow = () => { if (points[current]?.row.link) location.href = points[current].row.link; };

    picture.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) show(Math.min(points.length - 1, Math.max(0, current + step)));
      else if (event.key === "Home") show(0);
      else if (event.key === "End") show(points.length - 1);
      else if (event.key === "Enter") follow();
      else if (event.key === "Escape") leave();
      else return;
      event.preventDefault();
    });
    picture.addEventListener("focus", () => { if (current < 0 && picture.matches(":focus-visible")) show(0); });
    picture.addEventListener("blur", leave);
    picture.addEventListener("pointermove", (event) => {
      const box = picture.getBoundingClientRect(), scale = box.width / width;
      const [x, y] = [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
      const distances = points.map((point) => Math.hypot(point.x - x, point.y - y));
      const nearest = distances.indexOf(Math.min(...distances));
      if (distances[nearest] <= NEAR) show(nearest); else leave();
      picture.classList.toggle("leads", Boolean(points[current]?.row.link));
    });
    picture.addEventListener("pointerleave", leave);
    picture.addEventListener("click", follow);
    points.forEach((point, number) => {
      for (const row of linked.get(point.row.link) ?? []) {
        row.addEventListener("pointerenter", () => show(number));
        row.addEventListener("focusin", () => show(number));
        row.addEventListener("pointerleave", leave);
      }
    });
    const legend = legendOf(spec, rows);
    place.replaceChildren(...(legend ? [legend] : []), picture, readout);
  };

  const drawAll = () => {
    for (const figure of document.querySelectorAll("figure[data-chart]")) {
      const width = figure.querySelector("[data-drawing]")?.clientWidth;
      if (String(width) !== figure.dataset.width) draw(figure);
    }
  };

  drawAll();
  addEventListener("resize", drawAll);
  document.addEventListener("live", drawAll);
})();
