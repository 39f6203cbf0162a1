import type { TextReader } from "../../text/index.ts";
import { coverage } from "../../text/index.ts";
import type { EvidenceSentence } from "../material/evidence.ts";
import { informativeSentences, wantedStems } from "../material/evidence.ts";
import type { Material } from "../material/material.ts";
import { statementsOf } from "./write-statements.ts";

/** The thing that one object of a list is about. */
export interface ListedItem {
  readonly text: string;
  /** Id of its passage, if it comes from one. */
  readonly passageId: string;
  /** Position in its list, from 1. */
  readonly index: number;
}

/** A sentence bears on the question if it has at least this share of the best sentence's score. */
const minShareOfBest = 0.5;
/** Score below which not even the best sentence bears on the question. */
const minScore = 0.12;

/** Sentences of the passages that bear on the question, best first, verbatim. */
export function writeSpans(
  material: Material,
  reader: TextReader,
): readonly (EvidenceSentence & ListedItem)[] {
  const wanted = wantedStems(material, reader);
  // A title describes its whole passage and says nothing about one sentence.
  const ranked = informativeSentences(material, wanted, reader)
    .filter(({ text }) => coverage(wanted, reader.stems(text)) > 0)
    .toSorted((left, right) => right.score - left.score);
  const best = ranked[0]?.score ?? 0;
  return ranked
    .filter(({ score }) => score >= Math.max(minScore, best * minShareOfBest))
    .map((sentence, index) => {
      const passage = material.passages.find(({ number }) => number === sentence.passage);
      return { ...sentence, passageId: passage?.id ?? String(sentence.passage), index: index + 1 };
    });
}

/** The items of a list of objects: statements of a response, or sentences of the passages. */
export function listedItems(
  material: Material,
  reader: TextReader,
): readonly ListedItem[] | undefined {
  if (material.responses.length > 0) {
    return statementsOf(material).map((text, index) => {
      return { text, passageId: "", index: index + 1 };
    });
  }
  return material.passages.length > 0 ? writeSpans(material, reader) : undefined;
}

/** Numbers of the passages that bear on the question and add something to the notes, best first. */
export function usefulPassages(material: Material, reader: TextReader): readonly number[] {
  const known = reader.stems(material.notes.findings.join("\n"));
  const asked = wantedStems(material, reader);
  const useful = writeSpans(material, reader).filter(({ text }) => {
    const said = [...reader.stems(text)].filter((stem) => !asked.has(stem));
    const fresh = said.filter((stem) => !known.has(stem)).length;
    return said.length === 0 || fresh / said.length > 0.3;
  });
  return [...new Set(useful.map(({ passage }) => passage))];
}
