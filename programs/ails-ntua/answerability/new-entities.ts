import { pythonSplit } from "espalier/metric";

/**
 * Names that occur in the question but in no other text: capitalised words, not the first of the
 * question, of three letters or more, and not all in capitals.
 */
export function newEntities(question: string, known: readonly string[]): readonly string[] {
  const text = known.join(" ").toLowerCase();
  const names = pythonSplit(question)
    .slice(1)
    .map((word) => word.replace(/[^\p{L}]/gu, ""))
    .filter((name) => /^\p{Lu}\p{L}{2,}$/u.test(name) && name.toUpperCase() !== name);
  return [...new Set(names)].filter((name) => !text.includes(name.toLowerCase()));
}
