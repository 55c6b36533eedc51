"use strict";
(() => {
  const field = document.getElementById("filter"), count = document.getElementById("count");
  const rows = [...document.querySelectorAll("#rows > li")], all = count.textContent;
  let texts = null, timer = 0;
  const has = (i, word) => {
    if (word.startsWith("kind:")) return rows[i].classList.contains(word.slice(5));
    if (word.startsWith("dir:")) return rows[i].classList.contains(word.slice(4));
    if (/^#\d+$/.test(word)) return rows[i].querySelector("b").textContent === word.slice(1);
    return texts[i].includes(word);
  };
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    texts ??= rows.map(r => r.textContent.toLowerCase());
    let n = 0;
    rows.forEach((row, i) => {
      const ok = words.every(w => w.length > 1 && w[0] === "-" ? !has(i, w.slice(1)) : has(i, w));
      row.hidden = !ok;
      if (ok) n++;
    });
    count.textContent = words.length ? n + " of " + all : all;
  };
  field.hidden = false;
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 120); });
  document.addEventListener("keydown", e => {
    if (e.key === "/" && e.target.tagName !== "INPUT") { e.preventDefault(); field.focus(); }
    if (e.key === "Escape" && e.target === field) { field.value = ""; filter(); field.blur(); }
  });
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;
  const paint = pre => {
    if (pre.dataset.painted || pre.textContent.length > 200000) return;
    pre.dataset.painted = "1";
    const text = pre.textContent, parts = [];
    let from = 0;
    for (const m of text.matchAll(token)) {
      parts.push(text.slice(from, m.index));
      const s = document.createElement("span");
      s.className = m[2] !== undefined ? "name" : m[1] ? "string" : "number";
      s.textContent = m[1] ?? m[3];
      parts.push(s, m[2] ?? "");
      from = m.index + m[0].length;
    }
    pre.replaceChildren(...parts, text.slice(from));
  };
  document.addEventListener("toggle", e => { if (e.target.open) e.target.querySelectorAll("pre.json").forEach(paint); }, true);
  document.querySelectorAll("#talk pre.json").forEach(paint);
  const show = () => {
    const at = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const row = at ? at.closest("#rows > li") : null;
    if (!row) return;
    row.hidden = false;
    for (const kind of row.classList) { const box = document.getElementById("k-" + kind); if (box) box.checked = true; }
    row.querySelector("details").open = true;
    row.scrollIntoView({ block: "start" });
  };
  addEventListener("hashchange", show);
  show();
})();
