import type { Behaviour, Steering } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { bridgeNames } from "../material/bridge-names.ts";
import { informativeSentences, wantedStems } from "../material/evidence.ts";
import type { Material } from "../material/material.ts";
import { salientTerms } from "../material/salient-terms.ts";

export interface NoteArguments {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
}

/**
 * If asked for names or details, findings and suggestions name what the best passages are about.
 */
export const nameEntities: Behaviour = {
  name: "name-entities",
  cues: [
    { all: ["use", "entity"], weight: 0.6 },
    { all: ["entity"], weight: 0.5 },
    { all: ["thorough"], weight: 0.3, negated: 0 },
  ],
};

/** Sentences of the passages that bear on the question, best first. */
export function writeFindings({ material, steering, reader }: NoteArguments): readonly string[] {
  const wanted = wantedStems(material, reader);
  const ranked = rank(informativeSentences(material, wanted, reader)).filter(
    ({ score }) => score > 0,
  );
  const named = steering.level(nameEntities);
  return ranked.slice(0, 2 + Math.round(2 * named)).map(({ text, passage }) => {
    const title = material.passages.find(({ number }) => number === passage)?.title ?? "";
    return named > 0.3 && title !== "" && !text.includes(title) ? `${title}: ${text}` : text;
  });
}

/** Words of the question that occur in no passage. */
export function writeMissing({ material, reader }: NoteArguments): readonly string[] {
  const held = reader.stems(
    material.passages.map(({ title, text }) => `${title} ${text}`).join("\n"),
  );
  return salientTerms([{ text: material.question, weight: 1 }], reader, held).map(
    ({ surface }) => surface,
  );
}

/** What to search for next: the missing words together with names from the best passages. */
export function writeSuggestions(given: NoteArguments): readonly string[] {
  const { material, steering, reader } = given;
  const missing = writeMissing(given);
  const named = steering.level(nameEntities);
  const asked = reader.stems(material.question);
  const findings = writeFindings(given).map((text, index) => ({ text, weight: 0.7 ** index }));
  const names = bridgeNames(findings, material.question, reader, asked);
  const bridge = names.slice(0, Math.round(named * 4)).map(({ surface }) => surface);
  const words = [...bridge, ...missing];
  return words.length === 0 ? [material.question] : [words.join(" ")];
}

function rank<TItem extends { readonly score: number }>(items: readonly TItem[]): TItem[] {
  return items.toSorted((left, right) => right.score - left.score);
}
