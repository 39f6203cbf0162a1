import type { TextReader } from "../../text/index.ts";
import type { LabelChance } from "./label-chance.ts";
import type { Material } from "../material/material.ts";
import { responseQuality } from "./response-quality.ts";

/**
 * Probabilities of labels that name one of several responses ("A", "second", "answer_2"), or a tie
 * between them, by the quality of the responses; `undefined` for other labels.
 */
export function compareResponses(
  labels: readonly string[],
  material: Material,
  reader: TextReader,
): readonly LabelChance[] | undefined {
  const { responses } = material;
  if (responses.length < 2) return undefined;
  const places = labels.map(designated);
  const named = new Set(places.filter((index) => index !== undefined && index < responses.length));
  if (named.size < 2) return undefined;
  const qualities = responses.map((response) => responseQuality(response, material, reader));
  const [best = 0, next = 0] = qualities.toSorted((left, right) => right - left);
  const weights = labels.map((label, index) => {
    const position = places[index];
    if (position !== undefined) return Math.exp(10 * (qualities[position] ?? 0));
    return /\b(?:tie|equal|same|both|neither|c)\b/i.test(label)
      ? Math.exp(10 * (best - 0.02)) * (best - next < 0.03 ? 2 : 0.1)
      : 1e-3;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return labels.map((label, index) => ({ label, chance: (weights[index] ?? 0) / total }));
}

/** Index, from 0, of the response that a text names by letter, number or ordinal. */
export function designated(text: string): number | undefined {
  const match =
    /(?:^|[\s_"'([-])(?:(a|1|first|one)|(b|2|second|two)|(c|3|third|three))(?=$|[\s_"')\].,:;-]|['’]s)/.exec(
      text.length === 1
        ? text.toLowerCase()
        : text.replace(/\b([ABC])\b/g, (letter) => letter.toLowerCase()),
    );
  if (match === null) return undefined;
  if (match[1] !== undefined) return 0;
  return match[2] === undefined ? 2 : 1;
}
