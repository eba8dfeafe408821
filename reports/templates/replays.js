// Steps through the replays: one game at a time, one turn at a time. Without it the games stand in the page as lists.
(() => {
  "use strict";
  const holder = document.getElementById("replay-data");
  if (!holder) return;
  const data = JSON.parse(holder.textContent);
  const articles = [...document.querySelectorAll("article.replay")];
  const links = [...document.querySelectorAll(".replay-links a")];
  const SVG = "http://www.w3.org/2000/svg";
  const drawn = (tag, attributes, text) => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const clear = (text) => String(text).replace(/[^a-z ]/g, "");

  // --- one thing: a circle with a letter or two, and how many there are ---
  const R = data.board && data.board.room ? 12 : 9;
  const token = (thing, count, x, y, moved) => {
    const group = drawn("g", { class: `thing ${clear(thing.kind)}${moved ? " moved" : ""}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    group.append(clear(thing.kind).startsWith("token")
      ? drawn("rect", { x: -R, y: -R + 1, width: 2 * R, height: 2 * R - 2, rx: 3 })
      : drawn("circle", { r: R }));
    group.append(drawn("text", { y: R / 2.5 }, thing.label));
    if (count > 1) group.append(drawn("text", { class: "count", x: R + 1, y: R - 2 }, `×${count}`));
    return group;
  };

  // Where things stand that share a place: beside each other, in a room in rows under its name.
  const STEP = 19;
  const spots = (count, [x, y]) => {
    if (data.board.room) {
      const wide = 46, a_row = 3;
      return Array.from({ length: count }, (_, k) => {
        const row = Math.floor(k / a_row), here = Math.min(a_row, count - row * a_row);
        return [x + (k % a_row - (here - 1) / 2) * wide - 5, y - 22 + row * 26];
      });
    }
    const columns = Math.min(count, 3);
    return Array.from({ length: count }, (_, k) => {
      const row = Math.floor(k / columns), here = Math.min(columns, count - row * columns);
      return [x + (k % columns - (here - 1) / 2) * STEP, y + row * STEP];
    });
  };

  const lay = (article, game, turn) => {
    const board = article.querySelector(".board");
    if (!board || !data.board) return;
    const at = game.turns[turn][2];
    const before = new Set(turn ? game.turns[turn - 1][2].map(String) : at.map(String));
    const things = board.querySelector(".things"), lights = board.querySelector(".lights");
    const places = new Map();
    for (const entry of at) {
      const thing = game.things[entry[0]], points = data.board.points[thing.on];
      if (!points || !points[entry[1]]) continue;
      const [x, y] = points[entry[1]];
      const key = `${Math.round(x / 12)} ${Math.round(y / 12)}`; // buildings and their spaces are near each other
      if (!places.has(key)) places.set(key, { at: [x, y], name: (data.board.names[thing.on] || [])[entry[1]], held: [] });
      places.get(key).held.push({ thing, count: entry[2], moved: !before.has(String(entry)) });
    }
    const said = [];
    things.replaceChildren();
    for (const { at: point, name, held } of places.values()) {
      const where = spots(held.length, point);
      held.forEach(({ thing, count, moved }, k) => things.append(token(thing, count, ...where[k], moved)));
      said.push(`${name}: ${held.map(({ thing, count }) => count > 1 ? `${count} × ${thing.name}` : thing.name).join(", ")}`);
    }
    lights.replaceChildren();
    for (const [number, place] of at) {
      const area = game.things[number].kind.startsWith("monster") && board.querySelector(`[data-district="${Number(place)}"]`);
      if (area) lights.append(drawn("path", { d: area.getAttribute("d") }));
    }
    board.querySelector("svg").setAttribute("aria-label", `The board after this turn. ${said.join(". ")}.`);
    const legend = [...new Set(at.map(([number]) => number))].sort((a, b) => a - b).map((number) => {
      const line = document.createElement("li");
      const small = drawn("svg", { viewBox: `${-R - 2} ${-R - 2} ${2 * R + 4} ${2 * R + 4}`, "aria-hidden": "true" });
      small.append(token(game.things[number], 1, 0, 0, false));
      line.append(small, game.things[number].name);
      return line;
    });
    board.querySelector(".legend").replaceChildren(...legend);
  };

  const bar = (at, of) => {
    const made = drawn("svg", { viewBox: "0 0 160 12", "aria-hidden": "true" });
    const parts = Math.min(of, 40), wide = 160 / parts;
    for (let k = 0; k < parts; k += 1) {
      made.append(drawn("rect", { x: (k * wide).toFixed(2), y: 0, width: Math.max(wide - 1.5, 1).toFixed(2), height: 12, rx: 2, class: k < at * parts / of ? "full" : "" }));
    }
    return made;
  };

  // --- one turn of one game ---
  const state = articles.map(() => 0);
  const show = (n, turn) => {
    const article = articles[n], game = data.replays[n], last = game.turns.length - 1;
    state[n] = Math.min(Math.max(turn, 0), last);
    const now = state[n], item = article.querySelectorAll(".whole > ol > li")[now];
    article.querySelector(".turn").replaceChildren(...[...item.childNodes].map((node) => node.cloneNode(true)));
    const [rows, tracks] = game.turns[now];
    const earlier = now ? game.turns[now - 1][0] : rows;
    article.querySelector(".table tbody").replaceChildren(...rows.map((row, r) => {
      const line = document.createElement("tr");
      row.forEach((text, k) => {
        const cell = document.createElement(k ? "td" : "th");
        if (!k) cell.scope = "row";
        cell.textContent = text;
        if (earlier[r] && earlier[r][k] !== text) cell.className = "changed";
        line.append(cell);
      });
      return line;
    }));
    article.querySelector(".tracks").replaceChildren(...tracks.map(([name, at, of]) => {
      const said = document.createElement("span");
      said.append(`${name} ${at} of ${of}`, bar(at, of));
      return said;
    }));
    const slider = article.querySelector("input[type=range]"), place = now ? `Turn ${now} of ${last}` : `Set-up, before ${last} turns`;
    slider.value = now;
    slider.setAttribute("aria-valuetext", place);
    article.querySelector(".place").textContent = place;
    for (const [step, off] of [["first", now === 0], ["back", now === 0], ["next", now === last], ["last", now === last]]) {
      article.querySelector(`[data-step=${step}]`).setAttribute("aria-disabled", off); // it keeps the focus
    }
    lay(article, game, now);
  };
  const step = (n, how) => show(n, { first: 0, back: state[n] - 1, next: state[n] + 1, last: data.replays[n].turns.length - 1 }[how]);

  // --- which game ---
  let chosen = 0;
  const choose = (n) => {
    chosen = n;
    articles.forEach((article, k) => { article.hidden = k !== n; });
    links.forEach((link, k) => k === n ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
  };
  const named = () => articles.findIndex((article) => `#${article.id}` === location.hash);
  const drawing = document.getElementById("replay-board");
  articles.forEach((article, n) => {
    article.querySelector(".player").hidden = false;
    const svg = article.querySelector(".board > svg");
    if (svg && drawing) svg.prepend(document.importNode(drawing.content.querySelector("g"), true));
    article.querySelector(".whole").open = false;
    for (const button of article.querySelectorAll("[data-step]")) button.addEventListener("click", () => step(n, button.dataset.step));
    article.querySelector("input[type=range]").addEventListener("input", (event) => show(n, Number(event.target.value)));
    show(n, 0);
  });
  for (const hint of document.querySelectorAll("[data-keys]")) hint.hidden = false;
  links.forEach((link, n) => link.addEventListener("click", (event) => {
    event.preventDefault();
    choose(n);
    history.replaceState(null, "", link.hash);
    articles[n].focus({ preventScroll: true });
    articles[n].scrollIntoView({ block: "start" });
  }));
  window.addEventListener("hashchange", () => { if (named() >= 0) choose(named()); });
  choose(Math.max(named(), 0));

  const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    const how = KEYS[event.key], on = document.activeElement;
    if (!how || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const free = !on || on === document.body, article = articles[chosen];
    if (!free && !article.contains(on)) return;
    if (on && on.matches("input, select, textarea, .scroll, summary")) return; // they have a use of their own for it
    if (free && event.key.startsWith("Arrow") === false) return; // Home and End scroll the page
    event.preventDefault();
    step(chosen, how);
  });
})();
