// @ts-check
import { element } from "./element.js";

/**
 * The documents on which an answer is based, with the answer's numbering.
 *
 * @param {readonly import("./chat-stream.js").Citation[]} citations
 * @param {string} prefix prefix of the ids, unique on the page
 */
export function citationList(citations, prefix) {
  const items = citations.map((citation, index) =>
    citationItem(citation, `${prefix}-${index + 1}`),
  );
  return element(
    "section",
    { className: "citations" },
    element("h4", {}, "Sources"),
    element("ol", {}, ...items),
  );
}

/**
 * @param {import("./chat-stream.js").Citation} citation
 * @param {string} id
 */
function citationItem({ url, title, date, text }, id) {
  const summary = element("summary", { id }, title ?? beginningOf(text));
  if (date) summary.append(" ", element("span", { className: "aside" }, date));
  const details = element("details", {}, summary, element("p", {}, text));
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
