// @ts-check
import { element } from "./element.js";

/**
 * The text of an answer in which `[2]` and `[1, 3]` link to existing sources.
 *
 * @param {string} text
 * @param {{ count: number, prefix: string }} citations number of sources, and prefix of their ids
 * @returns {(Node | string)[]}
 */
export function answerText(text, { count, prefix }) {
  return text.split(/(\[\d+(?:\s*,\s*\d+)*\])/).flatMap((part, index) => {
    if (index % 2 === 0) return part === "" ? [] : [part];
    const inside = part.slice(1, -1).split(/(\d+)/);
    const linked = inside.map((piece) => citationLink(piece, { count, prefix }) ?? piece);
    return ["[", ...linked, "]"];
  });
}

/**
 * The numbers of the sources that a text cites, in their order.
 *
 * @param {string} text
 * @param {number} count number of sources
 * @returns {ReadonlySet<number>}
 */
export function citedIn(text, count) {
  const numbers = [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, inside = ""]) =>
    inside.split(",").map(Number),
  );
  return new Set(
    numbers.filter((number) => number >= 1 && number <= count).toSorted((a, b) => a - b),
  );
}

/**
 * @param {string} piece
 * @param {{ count: number, prefix: string }} citations
 */
function citationLink(piece, { count, prefix }) {
  const number = Number(piece);
  if (!Number.isInteger(number) || number < 1 || number > count) return null;
  const id = `${prefix}-${number}`;
  const link = element("a", { href: `#${id}`, ariaLabel: `Source ${number}` }, piece);
  link.addEventListener("click", () => {
    // The browser scrolls to the element with the id, and focuses it.
    const source = document.getElementById(id)?.closest("details");
    if (source) source.open = true;
  });
  return link;
}
