import type { TextReader } from "../../text/index.ts";
import { coverage } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import { refusalDegree } from "../material/refusal.ts";

/**
 * How good a text is as an answer, in [0, 1]: how much of it the evidence supports, how much of the
 * question it addresses, and how much of the reference it contains, if there is one. A refusal is
 * good only if the evidence is poor.
 */
export function responseQuality(response: string, material: Material, reader: TextReader): number {
  const said = reader.stems(response);
  const asked = reader.stems(material.question);
  const evidence = new Set(evidenceTexts(material).flatMap((text) => [...reader.stems(text)]));
  const wanted = reader.stems(material.reference);
  const isAnswerable = coverage(asked, evidence.size > 0 ? evidence : wanted) > 0.4;
  if (refusalDegree(response) === 1) return isAnswerable ? 0.1 : 0.6;
  const parts = [
    ...(evidence.size > 0 ? [coverage(said, evidence)] : []),
    ...(wanted.size > 0 ? [coverage(wanted, said), coverage(wanted, said)] : []),
    ...(asked.size > 0 ? [Math.min(1, 1.5 * coverage(asked, said))] : []),
  ];
  const mean = parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  const length = reader.words(response).length;
  const penalty = length < 3 || length > 160 ? 0.1 : 0;
  return Math.min(1, Math.max(0, mean - penalty - 0.2 * refusalDegree(response)));
}

/** Share of a statement that a single available text supports, in [0, 1]. */
export function statementSupport(
  statement: string,
  material: Material,
  reader: TextReader,
): number {
  const said = reader.stems(statement);
  const held = evidenceTexts(material).map((text) => coverage(said, reader.stems(text)));
  return Math.max(0, ...held);
}

/** The passages, or what replaces them: other texts, a reference, the assistant's replies. */
function evidenceTexts({ passages, texts, reference, turns }: Material): readonly string[] {
  if (passages.length > 0) return passages.map(({ title, text }) => `${title}\n${text}`);
  if (texts.length > 0) return texts;
  if (reference !== "") return [reference];
  return turns.filter(({ speaker }) => speaker === "assistant").map(({ text }) => text);
}
