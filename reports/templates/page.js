"use strict";
// Sorts, filters and copies the table of cells; opens a cell. The page is whole without it.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const PAGE = 500;

  // --- numbers as the page writes them (the same rules as in words.py) ---
  const number = (value, places, signed) => {
    if (value === null || value === undefined) return "–";
    const [whole, part] = Math.abs(value).toFixed(places).split(".");
    const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? "." + part : "");
    if (!/[1-9]/.test(text)) return text;
    return (value < 0 ? "−" : signed ? "+" : "") + text;
  };
  const shown = (column, i) => column.v[i] === null ? "–" : number(column.v[i] * column.factor, column.places, column.signed) + column.suffix;
  const ends = (column, i) => {
    const [low, high] = [column.l[i], column.h[i]];
    if (low === null && high === null) return "";
    if (low === null || high === null) {
      return (low === null ? "at most " : "at least ") + number((low === null ? high : low) * column.factor, column.places, column.signed);
    }
    const between = column.signed || low < 0 ? " to " : "–";
    return [low, high].map((v) => number(v * column.factor, column.places, column.signed)).join(between);
  };
  const sample = (column, i) => Array.isArray(column.n) ? column.n[i] : column.n;
  const element = (tag, text, cls) => {
    const made = document.createElement(tag);
    if (text !== undefined && text !== "") made.textContent = text;
    if (cls) made.className = cls;
    return made;
  };

  // --- copying ---
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = element("textarea");
      area.value = text;
      (document.querySelector("dialog[open]") || document.body).append(area);
      area.select();
      let done = false;
      try { done = document.execCommand("copy"); } catch { done = false; }
      area.remove();
      return done;
    }
  };
  const status = byId("status");
  const say = (text) => { if (status) status.textContent = text; };
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(byId(button.dataset.copy).textContent);
      button.textContent = done ? "Copied" : "Copying failed";
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    });
  }
  const field = (value) => {
    if (value === null || value === undefined) return "";
    let text = String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text; // a spreadsheet must not run a name
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const csv = (rows) => rows.map((row) => row.map(field).join(",")).join("\n") + "\n";

  for (const tools of document.querySelectorAll("[data-tools]")) tools.hidden = false;

  // --- tables of a contract, a comparison, a search: sort by a heading, find, copy ---
  const worth = (cell) => {
    const text = cell.firstChild ? cell.firstChild.textContent.trim() : "";
    const plain = text.replaceAll(",", "").replace("−", "-").replace("+", "");
    const found = /^-?\d+(\.\d+)?/.exec(plain);
    return cell.classList.contains("num") ? (found ? Number(found[0]) : null) : cell.textContent.trim();
  };
  const sortable = (sheet) => {
    [...sheet.tHead.rows[0].cells].forEach((th, k) => {
      const button = element("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => {
        const down = th.getAttribute("aria-sort") === "ascending" || (!th.hasAttribute("aria-sort") && th.classList.contains("num"));
        for (const other of sheet.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...sheet.tBodies[0].rows].map((row) => [worth(row.cells[k]), row]);
        rows.sort(([x], [y]) => {
          if (x === null || y === null) return (x === null) - (y === null); // what is missing comes last
          return x === y ? 0 : (x < y ? -1 : 1) * (down ? -1 : 1);
        });
        sheet.tBodies[0].append(...rows.map(([, row]) => row));
      });
    });
  };
  for (const sheets of document.querySelectorAll(".sheets")) {
    const all = [...sheets.querySelectorAll("table.sheet")];
    all.forEach(sortable);
    const bar = sheets.querySelector("[data-sheet-tools]");
    if (!bar) continue;
    bar.hidden = false;
    const told = bar.querySelector("[data-sheet-status]");
    bar.querySelector("[data-sheet-find]").addEventListener("input", (event) => {
      const wanted = event.target.value.trim().toLowerCase();
      let left = 0;
      for (const sheet of all) {
        let here = 0;
        for (const row of sheet.tBodies[0].rows) {
          row.hidden = !row.textContent.toLowerCase().includes(wanted);
          here += row.hidden ? 0 : 1;
        }
        left += here;
        const folded = sheet.closest("details");
        if (folded && wanted) folded.open = here > 0;
      }
      told.textContent = wanted ? `${left} found` : "";
    });
    bar.querySelector("[data-sheet-copy]").addEventListener("click", async () => {
      const rows = all.flatMap((sheet) => [...sheet.tBodies[0].rows].map((row) => JSON.parse(row.dataset.raw)));
      const done = all.length && await copy(csv([all[0].dataset.head.split(","), ...rows]));
      told.textContent = done ? `${rows.length} rows copied` : "Copying failed";
    });
  }

  // --- long lists in the numbers of one configuration: the first lines, the others on demand ---
  const FIRST = 8;
  const fold = (body, folded) => [...body.rows].forEach((row, k) => { row.hidden = folded && k >= FIRST; });
  const folds = [...document.querySelectorAll("table.metrics tbody.long")].map((body) => {
    const button = element("button", `Show all ${body.rows.length}`, "open");
    button.type = "button";
    button.addEventListener("click", () => { fold(body, false); button.hidden = true; });
    body.rows[0].cells[0].append(button);
    fold(body, true);
    return { body, button };
  });
  window.addEventListener("beforeprint", () => folds.forEach(({ body }) => fold(body, false)));

  // --- one configuration: find and copy ---
  const find = byId("find");
  if (find) {
    find.addEventListener("input", () => {
      const wanted = find.value.trim().toLowerCase();
      let left = 0;
      for (const row of document.querySelectorAll("table.metrics tbody tr")) {
        const hit = [...row.cells].some((cell) => cell.textContent.toLowerCase().includes(wanted));
        row.hidden = !hit;
        left += hit ? 1 : 0;
      }
      for (const theme of document.querySelectorAll(".theme")) theme.hidden = !theme.querySelector("tbody tr:not([hidden])");
      for (const { body, button } of folds) {
        if (!wanted && !button.hidden) fold(body, true);
      }
      say(wanted ? `${left} found` : "");
    });
    byId("copy-csv").addEventListener("click", async () => {
      const rows = [["metric", "group", "group2", "value", "low", "high", "n", "method"]];
      for (const c of data.columns) rows.push([c.metric, c.group, c.group2, c.v[0], c.l[0], c.h[0], sample(c, 0), c.method]);
      say(await copy(csv(rows)) ? `${rows.length - 1} rows copied` : "Copying failed");
    });
    return;
  }

  // --- many cells: the table ---
  const table = byId("cells");
  const state = { set: 0, sort: null, down: false, page: 0, chosen: data.factors.map(() => "") };
  const level = (f, i) => data.at[f][i] < 0 ? "" : data.factors[f].levels[data.at[f][i]];

  const order = () => {
    let rows = data.cells.map((_, i) => i).filter((i) => state.chosen.every((want, f) => want === "" || String(data.at[f][i]) === want));
    if (state.sort) {
      const { factor, column } = state.sort;
      const key = factor === -1 ? (i) => data.cells[i] : factor !== undefined ? (i) => data.at[factor][i] : (i) => data.columns[column].v[i];
      const sign = state.down ? -1 : 1;
      rows.sort((a, b) => {
        const x = key(a), y = key(b);
        if (x === null || y === null) return (x === null) - (y === null) || a - b; // what is missing comes last
        return x === y ? a - b : (x < y ? -sign : sign);
      });
    }
    return rows;
  };

  const heading = (text, small, sort, cls) => {
    const th = element("th", "", cls);
    th.scope = "col";
    const button = element("button", text);
    button.type = "button";
    if (small) { button.append(" "); button.append(element("small", small)); }
    const same = state.sort && state.sort.factor === sort.factor && state.sort.column === sort.column;
    if (same) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    button.addEventListener("click", () => {
      state.down = same ? !state.down : sort.column !== undefined; // numbers: the greatest first
      state.sort = sort;
      state.page = 0;
      draw();
      const again = [...table.querySelectorAll("thead button")].find((b) => b.dataset.key === button.dataset.key);
      if (again) again.focus();
    });
    button.dataset.key = JSON.stringify(sort);
    th.append(button);
    return th;
  };

  const draw = () => {
    const columns = data.sets[state.set].columns;
    const top = element("tr");
    top.append(heading("Cell", "", { factor: -1 }));
    data.factors.forEach((f, k) => top.append(heading(f.name, "", { factor: k }, f.numeric ? "num" : "")));
    for (const c of columns) top.append(heading(data.columns[c].title, data.columns[c].label, { column: c }, "num"));
    table.tHead.replaceChildren(top);
    const rows = order();
    const pages = Math.max(Math.ceil(rows.length / PAGE), 1);
    state.page = Math.min(state.page, pages - 1);
    const body = document.createDocumentFragment();
    for (const i of rows.slice(state.page * PAGE, (state.page + 1) * PAGE)) {
      const tr = element("tr");
      const th = element("th");
      th.scope = "row";
      const open = element("button", String(data.cells[i]), "open");
      open.type = "button";
      open.setAttribute("aria-label", `Open cell ${data.cells[i]}`);
      open.addEventListener("click", () => show(i));
      th.append(open);
      tr.append(th);
      data.factors.forEach((f, k) => tr.append(element("td", level(k, i), f.numeric ? "num" : "")));
      for (const c of columns) {
        const column = data.columns[c];
        const td = element("td", shown(column, i), "num");
        const between = ends(column, i);
        if (between) td.append(element("small", between));
        tr.append(td);
      }
      body.append(tr);
    }
    table.tBodies[0].replaceChildren(body);
    byId("pages").hidden = pages < 2;
    byId("page").textContent = `Page ${state.page + 1} of ${pages}`;
    byId("before").disabled = state.page === 0;
    byId("after").disabled = state.page === pages - 1;
    say(`${rows.length.toLocaleString("en-US")} of ${data.cells.length.toLocaleString("en-US")} cells`);
  };

  // --- one cell: all its numbers and its command ---
  const dialog = byId("cell");
  const show = (i) => {
    const place = data.factors.map((f, k) => data.at[k][i] < 0 ? "" : `${f.name} = ${level(k, i)}`).filter(Boolean).join(", ");
    byId("cell-h").textContent = `Cell ${data.cells[i]}: ${place}`;
    byId("cell-command").textContent = [data.command, ...data.factors.map((f, k) => data.at[k][i] < 0 ? "" : f.words[data.at[k][i]])].filter(Boolean).join(" ");
    const body = document.createDocumentFragment();
    for (const column of data.columns) {
      if (column.v[i] === null) continue;
      const tr = element("tr");
      const th = element("th", column.title);
      th.scope = "row";
      const n = sample(column, i);
      const value = element("td", shown(column, i), "num");
      value.append(element("small", ends(column, i) || "no interval"));
      tr.append(th, element("td", column.label || "all"), value, element("td", n === null ? "–" : number(n, 0, false), "num"), element("td", column.method, "method"));
      body.append(tr);
    }
    byId("cell-rows").replaceChildren(body);
    dialog.showModal();
  };
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  // --- tools ---
  const sets = byId("columns");
  data.sets.forEach((set, k) => { const option = element("option", set.name); option.value = k; sets.append(option); });
  sets.addEventListener("change", () => { state.set = Number(sets.value); state.page = 0; draw(); });
  const selects = data.factors.map((f, k) => {
    const label = element("label", f.name + " ");
    const select = element("select");
    const all = element("option", "all");
    all.value = "";
    select.append(all);
    f.levels.forEach((name, v) => { const option = element("option", name); option.value = v; select.append(option); });
    select.addEventListener("change", () => { state.chosen[k] = select.value; state.page = 0; draw(); });
    label.append(select);
    byId("filters").append(label);
    return select;
  });
  byId("reset").addEventListener("click", () => {
    selects.forEach((select, k) => { select.value = ""; state.chosen[k] = ""; });
    state.sort = null;
    state.down = false;
    state.page = 0;
    draw();
  });
  byId("before").addEventListener("click", () => { state.page -= 1; draw(); });
  byId("after").addEventListener("click", () => { state.page += 1; draw(); });
  byId("copy-csv").addEventListener("click", async () => {
    const columns = data.sets[state.set].columns.map((c) => data.columns[c]);
    const name = (c) => c.metric + [c.group, c.group2].filter(Boolean).map((g) => `[${g}]`).join("");
    const rows = [["cell", ...data.factors.map((f) => f.key), ...columns.flatMap((c) => [name(c), `${name(c)} low`, `${name(c)} high`, `${name(c)} n`])]];
    for (const i of order()) {
      rows.push([data.cells[i], ...data.factors.map((f, k) => data.at[k][i] < 0 ? "" : f.raw[data.at[k][i]]),
        ...columns.flatMap((c) => [c.v[i], c.l[i], c.h[i], sample(c, i)])]);
    }
    say(await copy(csv(rows)) ? `${rows.length - 1} rows copied` : "Copying failed");
  });
  draw();
})();
