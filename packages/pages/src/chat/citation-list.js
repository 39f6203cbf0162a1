// @ts-check
import { element } from "./element.js";

/**
 * @typedef {import("./chat-stream.js").Citation} Citation
 * @typedef {{ number: number, citation: Citation }} Numbered
 */

/**
 * The documents on which an answer is based, with the answer's numbers of their passages: those
 * that it cites, and folded the others. Where it cites none by number, all are shown.
 *
 * @param {readonly Citation[]} citations
 * @param {{ prefix: string, cited: ReadonlySet<number> }} options prefix of the ids, unique on the
 * page, and the numbers that the answer cites
 */
export function citationList(citations, { prefix, cited }) {
  const documents = documentsOf(citations);
  const isCited = (/** @type {readonly Numbered[]} */ passages) =>
    cited.size === 0 || passages.some(({ number }) => cited.has(number));
  const [shown, others] = [
    documents.filter(isCited),
    documents.filter((passages) => !isCited(passages)),
  ];
  const list = (/** @type {readonly (readonly Numbered[])[]} */ some) =>
    element("ul", {}, ...some.map((passages) => documentItem(passages, prefix)));
  const root = element(
    "section",
    { className: "citations" },
    element("h4", {}, "Sources"),
    list(shown),
  );
  if (others.length > 0) {
    const count = others.length === 1 ? "1 other document" : `${others.length} other documents`;
    root.append(
      element("details", { className: "others" }, element("summary", {}, count), list(others)),
    );
  }
  return root;
}

/**
 * Passages by document, each document where its first passage stands.
 *
 * @param {readonly Citation[]} citations
 * @returns {readonly (readonly Numbered[])[]}
 */
function documentsOf(citations) {
  /** @type {Map<string, Numbered[]>} */
  const documents = new Map();
  for (const [index, citation] of citations.entries()) {
    const key = documentOf(citation);
    const passages = documents.get(key) ?? [];
    documents.set(key, [...passages, { number: index + 1, citation }]);
  }
  return [...documents.values()];
}

/**
 * The address tells documents apart; a passage without one belongs to the document of its title.
 *
 * @param {Citation} citation
 */
function documentOf({ url, title }) {
  return isWebAddress(url) ? url : (title ?? url);
}

/**
 * @param {readonly Numbered[]} passages of one document, at least one
 * @param {string} prefix
 */
function documentItem(passages, prefix) {
  const [first] = passages;
  if (first === undefined) return "";
  const { url, title, date, text } = first.citation;
  const numbers = `[${passages.map(({ number }) => number).join(", ")}] `;
  const isAlone = passages.length === 1;
  const summary = element(
    "summary",
    { id: isAlone ? `${prefix}-${first.number}` : "" },
    element("span", { className: "aside" }, numbers),
    title ?? beginningOf(text),
  );
  if (date) summary.append(" ", element("span", { className: "aside" }, date));
  const details = element(
    "details",
    {},
    summary,
    ...(isAlone
      ? [element("p", {}, text)]
      : passages.map(({ number, citation }) =>
          element(
            "p",
            { id: `${prefix}-${number}`, tabIndex: -1 },
            element("span", { className: "aside" }, `[${number}] `),
            citation.text,
          ),
        )),
  );
  if (isWebAddress(url)) {
    const link = element("a", { href: url, target: "_blank", rel: "noreferrer" }, url);
    details.append(element("p", { className: "address" }, link));
  }
  return element("li", {}, details);
}

/** @param {string} text */
function beginningOf(text) {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/**
 * URLs come from documents: a `javascript:` URL must not become a link.
 *
 * @param {string} url
 */
function isWebAddress(url) {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
