import type { OutputField, Task } from "../../reading/index.ts";
import type { Clause, ClauseReader, Concept, Steering } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import { coverage } from "../../text/index.ts";
import { supportOf, wantedStems } from "../material/evidence.ts";
import type { Material } from "../material/material.ts";
import { questionNeed } from "../query/question-need.ts";
import { questionParts } from "../query/split-question.ts";
import { solvedState } from "../question/next-question.ts";
import { questionKind } from "../question/question-shape.ts";
import { isNoAnswer, refusalDegree } from "../material/refusal.ts";
import { responseQuality, statementSupport } from "./response-quality.ts";

export interface MeasureArguments {
  readonly task: Task;
  readonly field: Pick<OutputField, "key" | "description"> | undefined;
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
  readonly readClauses: ClauseReader;
  /** Confidence of the last choice in this reply, in [0, 1]. */
  readonly sureness?: number | undefined;
  /** The item to judge, if it is one of several written in this reply. */
  readonly item?: string | undefined;
}

/**
 * The quantity behind a degree (true, partly, no, high), in [0, 1]. The description, the
 * instruction and the material decide what it measures; by default, how far the evidence covers the
 * question.
 */
export function measure(given: MeasureArguments): number {
  const { field, material, reader, readClauses, sureness, item } = given;
  const own = readClauses(field?.description ?? "");
  if (sureness !== undefined && speak(own, "certainty")) return sureness;
  // A statement with no more than half of its words supported exceeds its evidence.
  if (item !== undefined) return statementSupport(item, material, reader) ** 1.5;
  const about = [...own, ...given.steering.clauses.slice(0, 3)];
  const ofResponse = responseMeasure(given, about);
  if (ofResponse !== undefined) return ofResponse;
  if (material.steps !== undefined && speak(about, "solved", "unfinished")) {
    const isSolved = progress(material, reader);
    return speak(own, "unfinished") && !speak(own, "solved") ? 1 - isSolved : isSolved;
  }
  if (material.passages.length === 0) {
    const ofQuestion = questionMeasure(given, own, about);
    if (ofQuestion !== undefined) return ofQuestion;
  }
  const support = supportOf(material, wantedStems(material, reader), reader);
  return speak(own, "offtopic") || asksForGap(own) ? 1 - support : support;
}

/** For a response: whether it refuses, how much of a reference it contains, or how good it is. */
function responseMeasure(
  { material, reader }: MeasureArguments,
  about: readonly Clause[],
): number | undefined {
  const response = material.responses[0];
  if (response === undefined || material.responses.length > 1) return undefined;
  if (speak(about, "refuse")) return refusalDegree(response);
  if (material.reference !== "") {
    return coverage(reader.stems(material.reference), reader.stems(response));
  }
  return responseQuality(response, material, reader);
}

/** For a question alone: how much work it takes, how many parts it has, what it leaves unsaid. */
function questionMeasure(
  { task, field, material, reader }: MeasureArguments,
  own: readonly Clause[],
  about: readonly Clause[],
): number | undefined {
  const isInstructed = (field?.description ?? task.instruction) !== "";
  const isOfWork =
    speak(own, "complexity", "plainness") || (own.length === 0 && speak(about, "complexity"));
  if (isOfWork) {
    const kind = questionKind(material.question, reader);
    const work = { known: 0.05, single: 0.1, several: 0.85, chain: 0.9 }[kind];
    return speak(own, "complexity") || !speak(own, "plainness") ? work : 1 - work;
  }
  if (isInstructed && speak(about, "split")) {
    return Math.min(1, (questionParts(reader.words(material.question)).length - 1) / 2);
  }
  if (!isInstructed || !speak(about, "reference", "standalone")) return undefined;
  const need = questionNeed(material.question, reader);
  return speak(own, "standalone") ? 1.1 - need : need;
}

/** Whether the solved steps contain everything asked for; also low if a step found nothing. */
function progress({ question, steps = [] }: Material, reader: TextReader): number {
  if (steps.length === 0) return 0.02;
  if (steps.some(({ answer }) => isNoAnswer(answer))) return 0.15;
  return solvedState(question, steps, reader).next === undefined ? 0.85 : 0.15;
}

/** "Whether something is missing": the worse the evidence, the higher the degree. */
function asksForGap(own: readonly Clause[]): boolean {
  return own.some(
    ({ hits }) =>
      (hits.get("gap") ?? []).some(({ isNegated }) => !isNegated) &&
      !hits.has("support") &&
      !hits.has("solved"),
  );
}

function speak(clauses: readonly Clause[], ...concepts: readonly Concept[]): boolean {
  return clauses.some(({ hits }) => concepts.some((concept) => hits.has(concept)));
}
