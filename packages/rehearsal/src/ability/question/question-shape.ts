import type { TextReader } from "../../text/index.ts";
import { descriptionsIn } from "./descriptions.ts";
import { splitAsks } from "./split-asks.ts";

/** How much work the wording of a question suggests. */
export type QuestionKind = "known" | "single" | "several" | "chain";

/**
 * The kind of a question by its wording alone: a sum, a greeting, or something without a name
 * (`known`), one ask (`single`), several independent asks (`several`), or an ask about something
 * that is only described (`chain`).
 */
export function questionKind(question: string, reader: TextReader): QuestionKind {
  const { parts } = splitAsks(question, reader);
  if (parts.length > 1 && !/ or /.test(question)) return "several";
  if (parts.length > 1 || descriptionsIn(question, reader).length > 0) return "chain";
  return isKnown(question, reader) ? "known" : "single";
}

/** A sum, or a short question that contains no name. */
function isKnown(question: string, reader: TextReader): boolean {
  const words = reader.words(question);
  const hasName = words.some(({ isName, surface }) => isName && !/^\d/.test(surface));
  if (hasName || /["“”]/.test(question)) return false;
  return words.length <= 9 || words.every(({ kind }) => kind !== "content");
}
