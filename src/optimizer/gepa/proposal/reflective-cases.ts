import type { Json, JsonObject } from "../../../contract/index.ts";
import type { PredictorStep, Rollout } from "../../evaluation/index.ts";

/** One call of a predictor, and what was said of it. */
export interface ReflectiveCase {
  readonly exampleId: string;
  /** Of the whole run; `null` where there is none. */
  readonly score: number | null;
  readonly inputs: JsonObject;
  /** `null` when the reply could not be used; `rawText` then says what it was. */
  readonly outputs: JsonObject | null;
  readonly rawText: string | null;
  readonly feedback: string;
}

/**
 * What one predictor did in some rollouts, call by call, with the program's score and feedback and the
 * blame laid on this very call or on the predictor. Steps are told apart by predictor name and path,
 * never by signature, so that two predictors of one signature are not mixed.
 */
export function reflectiveCases(
  rollouts: readonly Rollout[],
  predictor: string,
): readonly ReflectiveCase[] {
  return rollouts.flatMap((rollout) =>
    (rollout.lesson?.steps ?? [])
      .filter((step) => step.predictor === predictor)
      .map((step) => ({
        exampleId: rollout.exampleId,
        score: rollout.score.kind === "scored" ? rollout.score.value : null,
        inputs: step.inputs,
        outputs: step.outputs,
        rawText: step.rawText,
        feedback: feedbackOnStep(step, rollout),
      })),
  );
}

/**
 * Whether a rollout has something to say of a predictor: it ran, and the feedback is of the whole run
 * or of this predictor, not of others alone.
 */
export function teaches({ lesson }: Rollout, predictor: string): boolean {
  const steps = (lesson?.steps ?? []).filter((step) => step.predictor === predictor);
  if (lesson === undefined || steps.length === 0) return false;
  const { feedback = "", blame = [], failure } = lesson;
  if (feedback !== "" || failure !== undefined || blame.length === 0) return true;
  return steps.some((step) => blame.some(({ path }) => path === step.path || path === predictor));
}

/** What was said of a predictor in a rollout, without the score. */
export function feedbackOn(rollout: Rollout | undefined, predictor: string): string {
  const { feedback = "", blame = [], steps = [] } = rollout?.lesson ?? {};
  const paths = new Set(
    steps.filter((step) => step.predictor === predictor).map(({ path }) => path),
  );
  const own = blame.filter(({ path }) => path === predictor || paths.has(path));
  return [feedback, ...own.map(({ text }) => text)].join("\n");
}

function feedbackOnStep(step: PredictorStep, { score, lesson }: Rollout): string {
  const blame = (lesson?.blame ?? []).filter(
    ({ path }) => path === step.path || path === step.predictor,
  );
  return [
    ...(score.kind === "scored" ? [`Score: ${rounded(score.value)}`] : []),
    ...(step.failure === undefined ? [] : [`This step failed: ${step.failure.message}`]),
    ...(lesson?.failure === undefined || lesson.failure.message === step.failure?.message
      ? []
      : [`The run failed: ${lesson.failure.message}`]),
    ...(lesson?.feedback === undefined || lesson.feedback === "" ? [] : [lesson.feedback]),
    ...blame.map(({ score, text }) =>
      score === undefined
        ? `On this step: ${text}`
        : `On this step (score ${rounded(score)}): ${text}`,
    ),
  ].join("\n");
}

function rounded(value: number): string {
  return String(Number(value.toFixed(4)));
}

/** A value as a reader reads it: text as it is, turns and passages line by line, the rest as JSON. */
export function shownValue(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "(empty)";
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  if (value.length === 0) return "(empty)";
  return value
    .map((item: Json, index) => {
      if (typeof item === "string") return `${index + 1}. ${item}`;
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return JSON.stringify(item);
      }
      const { speaker, title, text } = item as JsonObject;
      if (typeof text !== "string") return JSON.stringify(item);
      if (typeof speaker === "string") return `${speaker}: ${text}`;
      return typeof title === "string" && title !== ""
        ? `[${index + 1}] ${title}\n${text}`
        : `[${index + 1}] ${text}`;
    })
    .join("\n");
}
