import type { JsonObject } from "../../../contract/index.ts";
import { oncePer } from "../../../internal/index.ts";
import type { PredictorStep, Rollout, RolloutLesson } from "../../evaluation/index.ts";
import { cutToBytes, fairShares, shownValue } from "../text/shown-text.ts";

/** One predictor call and the feedback on it. */
export interface ReflectiveCase {
  readonly exampleId: string;
  /** Call path: `hop[1]/generateQueries`. */
  readonly path: string;
  /** Score of the whole run; `null` if there is none. */
  readonly score: number | null;
  readonly inputs: JsonObject;
  /** `null` when the reply could not be used; `rawText` then holds it. */
  readonly outputs: JsonObject | null;
  readonly rawText: string | null;
  /** An agent's calls of tools; absent: none. */
  readonly tools?: PredictorStep["tools"];
  /** Feedback on this very call, then on its step, then on the whole run. */
  readonly feedback: string;
  /** A summary of what later steps of the run wrote and of the final output; empty if unknown. */
  readonly after: string;
}

/**
 * What one predictor did in some rollouts, call by call, with the program's score and feedback, and
 * the blame assigned to this call or to the predictor. Steps are identified by predictor name and
 * path, never by signature, so two predictors with the same signature are not mixed up.
 */
export function reflectiveCases(
  rollouts: readonly Rollout[],
  predictor: string,
): readonly ReflectiveCase[] {
  return rollouts.flatMap((rollout) => casesOf(rollout, predictor));
}

/** The same of one rollout. */
export function casesOf(rollout: Rollout, predictor: string): readonly ReflectiveCase[] {
  const known = casesByPredictor(rollout);
  let cases = known.get(predictor);
  if (cases === undefined) known.set(predictor, (cases = casesIn(rollout, predictor)));
  return cases;
}

/** Asked for at every choice of lessons and every reflection, for the same rollouts again. */
const casesByPredictor = oncePer<Rollout, Map<string, readonly ReflectiveCase[]>>(() => new Map());

function casesIn(rollout: Rollout, predictor: string): readonly ReflectiveCase[] {
  const { exampleId, score, lesson } = rollout;
  const steps = lesson?.steps ?? [];
  return steps.flatMap((step, index) => {
    if (step.predictor !== predictor) return [];
    const { path, inputs, outputs, rawText, tools } = step;
    return [
      Object.freeze({
        exampleId,
        path,
        score: score.kind === "scored" ? score.value : null,
        inputs,
        outputs,
        rawText,
        ...(tools && { tools }),
        feedback: feedbackOnStep(step, rollout),
        after: accountOfRest(steps.slice(index + 1), lesson),
      }),
    ];
  });
}

/**
 * Whether a rollout teaches something about a predictor: it ran, and the feedback concerns the
 * whole run or this predictor, not only others, and this one is not known to be innocent.
 */
export function teaches({ lesson }: Rollout, predictor: string): boolean {
  const steps = (lesson?.steps ?? []).filter((step) => step.predictor === predictor);
  if (lesson === undefined || steps.length === 0) return false;
  if (lesson.excused?.includes(predictor) === true) return false;
  const { feedback = "", blame = [], failure } = lesson;
  if (feedback !== "" || failure !== undefined || blame.length === 0) return true;
  return steps.some((step) => blame.some(({ path }) => path === step.path || path === predictor));
}

/** Feedback on a predictor in a rollout, without the score. */
export function feedbackOn(rollout: Rollout | undefined, predictor: string): string {
  const { feedback = "", blame = [], steps = [] } = rollout?.lesson ?? {};
  const paths = new Set(
    steps.filter((step) => step.predictor === predictor).map(({ path }) => path),
  );
  const own = blame.filter(({ path }) => path === predictor || paths.has(path));
  return [feedback, ...own.map(({ text }) => text)].join("\n");
}

function feedbackOnStep(step: PredictorStep, { score, lesson }: Rollout): string {
  const { feedback = "", failure, blame = [] } = lesson ?? {};
  const lines: string[] = [];
  const say = (about: string, path: string): void => {
    for (const { path: blamed, score: ofCall, text } of blame) {
      if (blamed !== path) continue;
      lines.push(`${about}${ofCall === undefined ? "" : ` (score ${rounded(ofCall)})`}:`, text);
    }
  };
  say("On this very call", step.path);
  if (step.path !== step.predictor) say("On all calls of this step", step.predictor);
  if (step.failure !== undefined) lines.push(`This call failed: ${step.failure.message}`);
  const scored = score.kind === "scored" ? ` (score ${rounded(score.value)})` : "";
  if (feedback !== "" || scored !== "") {
    lines.push(`On the whole run${scored}:`, feedback === "" ? "(no word)" : feedback);
  }
  if (failure !== undefined && failure.message !== step.failure?.message) {
    lines.push(`The run failed: ${failure.message}`);
  }
  return lines.join("\n");
}

/** Whether a line of a case's feedback is a heading of `feedbackOnStep`, or about a failure. */
export function isFeedbackHeading(line: string): boolean {
  return /^(?:(?:On this very call|On all calls of this step|On the whole run)(?: \(score [-\d.e+]+\))?:$|(?:This call|The run) failed: )/.test(
    line,
  );
}

function rounded(value: number): string {
  return String(Number(value.toFixed(4)));
}

const maxSteps = 6;
const bytesPerStep = 400;
const bytesOfOutput = 600;

/**
 * Summarizes in a few lines what came after a call: the output of each later step and the program's
 * final output. Empty outside programs, where calls have no order.
 */
function accountOfRest(
  later: readonly PredictorStep[],
  { output, failure }: Pick<RolloutLesson, "output" | "failure"> = {},
): string {
  if (output === undefined && failure === undefined) return "";
  const shown = later.slice(0, maxSteps);
  const left = later.length - shown.length;
  return [
    ...shown.map((step) => `- \`${step.path}\` ${whatItDid(step)}`),
    ...(left === 0 ? [] : [`- ${left} more ${left === 1 ? "call" : "calls"} of later steps`]),
    ...(output === undefined
      ? ["- the program gave nothing: it failed"]
      : [`- the program gave ${cutToBytes(flat(output), bytesOfOutput)}`]),
  ].join("\n");
}

function whatItDid({ outputs, failure }: PredictorStep): string {
  if (outputs === null) {
    return `failed: ${cutToBytes(flat(failure?.message ?? "no reply"), bytesPerStep)}`;
  }
  // A step's reasoning is not part of what it passed on.
  const { reasoning: _, ...passedOn } = outputs;
  const fields = Object.entries(passedOn).map(
    ([name, value]) => `${name}: ${flat(shownValue(value))}`,
  );
  const shares = fairShares(
    fields.map((field) => ({ need: Buffer.byteLength(field) })),
    bytesPerStep,
  );
  return `wrote ${fields.map((field, index) => cutToBytes(field, shares[index] ?? 0)).join("; ")}`;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
