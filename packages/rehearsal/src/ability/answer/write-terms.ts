import type { Clause } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import { questionNeed } from "../query/question-need.ts";
import { salientTerms } from "../material/salient-terms.ts";

/**
 * Terms of the question, and of the conversation if the question depends on it: names if the
 * description asks for names or subjects, otherwise its other content words. Respects a number of
 * terms given in the instruction.
 */
export function writeTerms({
  description,
  clauses,
  material,
  reader,
}: {
  readonly description: string;
  readonly clauses: readonly Clause[];
  readonly material: Material;
  readonly reader: TextReader;
}): readonly string[] {
  const wantsNames =
    /\b(?:anchors?|names?|entit|subject|what (?:it|the question) is about|identifiers?)/i.test(
      [description, clauses[0]?.text ?? ""].join("\n"),
    );
  const need = questionNeed(material.question, reader);
  const turns = need > 0.5 ? material.turns : [];
  const talk = turns.map(({ text }, index) => ({
    text,
    weight: need * 0.5 * 0.8 ** (turns.length - 1 - index),
  }));
  const own = reader.stems(material.question);
  const terms = salientTerms([{ text: material.question, weight: 1 }, ...talk], reader, new Set());
  const fitting = terms.filter(({ stem, isName }) =>
    wantsNames ? isName : !isName && (own.has(stem) || need > 0.5),
  );
  const most = statedMax(description) ?? 8;
  return (fitting.length > 0 ? fitting : terms).slice(0, most).map(({ surface }) => surface);
}

function statedMax(description: string): number | undefined {
  const match = /\bat most (\d{1,2})\b/i.exec(description);
  return match === null ? undefined : Number(match[1]);
}
