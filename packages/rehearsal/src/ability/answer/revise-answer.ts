import type { Behaviour, Steering } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { sentences, similarity } from "../../text/index.ts";
import { evidenceSentences } from "../material/evidence.ts";
import type { Material } from "../material/material.ts";

/** Changes the given answer instead of writing another one. */
export const mendAnswer: Behaviour = {
  name: "mend-answer",
  cues: [{ all: ["mend"], weight: 0.6, negated: 0 }],
};

/**
 * The given answer with one change, chosen by what its criticism asks for: shortened if it is long;
 * otherwise extended by the closest sentence of the evidence that it does not have yet.
 */
export function reviseAnswer({
  material,
  steering,
  reader,
}: {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
}): string {
  const [response = ""] = material.responses;
  const wrong = [...material.texts, ...steering.clauses.map(({ text }) => text)].join("\n");
  const said = sentences(response);
  if (
    /\b(?:too (?:long|wordy)|shorten|shorter|at most|too many)\b/i.test(wrong) &&
    said.length > 1
  ) {
    return said.slice(0, Math.ceil(said.length / 2)).join(" ");
  }
  const stems = reader.stems(`${response} ${material.question}`);
  const [best] = evidenceSentences({ ...material, texts: [] }, stems, reader)
    .filter(({ text }) =>
      said.every((one) => similarity(reader.stems(one), reader.stems(text)) < 0.7),
    )
    .toSorted((left, right) => right.score - left.score);
  if (best === undefined || best.score === 0) return response;
  const closest = said.toSorted(
    (left, right) =>
      similarity(reader.stems(right), reader.stems(best.text)) -
      similarity(reader.stems(left), reader.stems(best.text)),
  )[0];
  const isReplacing = /\b(?:wording|words|exact|closer|paraphras)/i.test(material.texts.join("\n"));
  return isReplacing && closest !== undefined
    ? said.map((one) => (one === closest ? best.text : one)).join(" ")
    : [response.trim(), best.text].join(" ").trim();
}
