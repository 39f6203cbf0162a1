import type { Json } from "../../../../../src/contract/index.ts";
import type { Behaviour, Clause } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { coverage, similarity } from "../../text/index.ts";
import { compareResponses } from "./compare-responses.ts";
import type { LabelChance } from "./label-chance.ts";
import { labelDegree } from "./label-degree.ts";
import type { MeasureArguments } from "./measure.ts";
import { measure } from "./measure.ts";
import { labelKinds } from "../question/label-kinds.ts";
import { questionKind } from "../question/question-shape.ts";

export interface LabelArguments extends MeasureArguments {
  readonly labels: readonly string[];
}

/**
 * The probability of each label, in the given order. Labels that name one of several responses
 * depend on the quality of these responses, degrees (yes, partly, no) on a measurement, kinds of
 * question on the question's wording, and all others on similarity to demonstrations and to the
 * instruction's description of each label.
 */
export function chooseLabel(given: LabelArguments): readonly LabelChance[] {
  const { labels, material, steering, reader, readClauses } = given;
  const compared = compareResponses(labels, material, reader);
  if (compared !== undefined) return compared;
  const shown = labels.map((label) => likeDemonstrations(label, given));
  const degrees = labels.map((label) => labelDegree(label, reader));
  const isScale = degrees.filter((degree) => degree !== undefined).length >= 2;
  const measured = isScale ? measure(given) : 0;
  const kinds =
    isScale || material.passages.length > 0
      ? undefined
      : labelKinds(labels, steering.clauses.map(({ text }) => text).join("\n"), readClauses);
  const kind = kinds === undefined ? "single" : questionKind(material.question, reader);
  const shift = 0.2 * (steering.level(strictness) - steering.level(leniency)) + usualStrictness;
  const weights = labels.map((label, index) => {
    const degree = degrees[index];
    const fit =
      isScale && degree !== undefined
        ? Math.exp(-(((measured - anchorOf(degree, shift)) / 0.22) ** 2))
        : (kinds?.[index]?.(kind) ?? 0.05 + 0.9 * aboutness(label, given));
    const taught = 1 + 6 * (shown[index] ?? 0);
    return (fit + 1e-4) * taught * preference(label, steering.clauses, reader);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return labels.map((label, index) => ({ label, chance: (weights[index] ?? 0) / total }));
}

/** Requires more evidence. */
export const strictness: Behaviour = {
  name: "strictness",
  cues: [{ all: ["strict"], weight: 0.6 }],
};

/** Requires less evidence. */
export const leniency: Behaviour = {
  name: "leniency",
  cues: [{ all: ["lenient"], weight: 0.6 }],
};

/** Without instructions, the rehearsal LM is slightly too easily satisfied. */
const usualStrictness = -0.08;

function anchorOf(degree: number, shift: number): number {
  return Math.min(1, Math.max(0, degree + shift));
}

/** Similarity, in [0, 1], to the closest demonstration with this label. */
function likeDemonstrations(
  label: string,
  { task, field, material, reader }: LabelArguments,
): number {
  if (field === undefined || task.demonstrations.length === 0) return 0;
  const current = reader.stems(material.question);
  const likeness = task.demonstrations
    .filter(({ outputs }) => isLabel(outputs[field.key], label))
    .map(({ inputs }) => {
      const asked = inputs.find(({ role }) => role === "question")?.text ?? "";
      return similarity(current, reader.stems(asked));
    });
  return Math.max(0, ...likeness);
}

/** Labels are texts; here, so are the two truth values. */
function isLabel(value: Json | undefined, label: string): boolean {
  return value === label || (typeof value === "boolean" && JSON.stringify(value) === label);
}

/** Share of the question's words that also occur in the clauses naming this label. */
function aboutness(label: string, { material, steering, reader }: LabelArguments): number {
  const naming = steering.clauses.filter(({ text }) => names(text, label));
  const said = reader.stems([label, ...naming.map(({ text }) => text)].join(" "));
  return coverage(reader.stems(material.question), said);
}

function preference(label: string, clauses: readonly Clause[], reader: TextReader): number {
  const stems = reader.words(label).map(({ stem }) => stem);
  let factor = 1;
  for (const clause of clauses) {
    const preferred = clause.hits.get("prefer")?.[0];
    const index = clause.words.findIndex(({ stem }) => stem === stems[0]);
    if (preferred === undefined || index < 0 || !names(clause.text, label)) continue;
    const denied = clause.words
      .slice(0, index)
      .some(({ lower }) => ["not", "never", "avoid", "than", "instead", "dont"].includes(lower));
    factor *= denied ? 0.4 : 2;
  }
  return factor;
}

function names(text: string, label: string): boolean {
  const index = text.toLowerCase().indexOf(label.toLowerCase());
  if (index < 0) return false;
  const around = `${text[index - 1] ?? " "}${text[index + label.length] ?? " "}`;
  return !/[\p{L}\p{N}]/u.test(around);
}
