import type { Json } from "../../../../../src/contract/index.ts";
import { jsonList, textsIn } from "../../reading/index.ts";

export interface PassageText {
  /** The number shown with it, from 1; its position if something else is shown. */
  readonly number: number;
  /** Its label: the number, or the name shown instead. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Splits text into blocks that begin with a number or a name in brackets: `[1] Title`, `[fares-2]
 * Title`, `Document [1] ...:`, `Doc 1: Title`, `Page ID=[3] URL=[...]:`, or returns the members of
 * a JSON list. Text without such blocks is one passage.
 */
export function readPassageBlocks(text: string): readonly PassageText[] {
  const listed = /^\s*\[\s*["{]/.test(text) ? jsonList(text).flatMap(textOf) : [];
  if (listed.length > 0) {
    return listed.map((said, index) => {
      return { number: index + 1, id: String(index + 1), title: "", text: said };
    });
  }
  const plain = [...text.matchAll(/^\[(\d+)\] /gm)];
  const starts = plain.length > 0 ? plain : [...text.matchAll(openingPattern)];
  if (starts.length === 0) {
    return text.trim() === "" ? [] : [{ number: 1, id: "1", title: "", text: text.trim() }];
  }
  return starts.map((start, index) => {
    const block = text.slice(start.index + start[0].length, starts[index + 1]?.index).trim();
    const lineEnd = block.indexOf("\n");
    const shown = start[1] ?? start[2] ?? "";
    return {
      number: /^\d+$/.test(shown) ? Number(shown) : index + 1,
      id: shown,
      title: lineEnd < 0 ? "" : block.slice(0, lineEnd).trim(),
      text: lineEnd < 0 ? block : block.slice(lineEnd + 1).trim(),
    };
  });
}

/** The full content of one list member as a single text. */
function textOf(held: Json): readonly string[] {
  const said = textsIn(held).join("\n").trim();
  return said === "" ? [] : [said];
}

const openingPattern =
  /^(?:[A-Za-z]{2,12} (?:id ?[=:] ?)?)?\[([\w.:-]{1,40})\](?: [A-Z][\w-]*=\[[^\]\n\r\u2028\u2029]*\])*:?(?: +|\n)|^(?:doc|document|passage|source|context|page) ?(\d+)(?: \([^)\n\r\u2028\u2029]*\))?[:.](?: +|\n)/gim;
