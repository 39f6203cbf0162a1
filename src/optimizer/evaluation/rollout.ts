import type {
  Blame,
  DemonstratedStep,
  Failure,
  JsonObject,
  LabelDecision,
  PredictorTrace,
  Trace,
  ToolTrace,
  TraceNode,
} from "../../contract/index.ts";
import { jsonOrUndefined, withoutImages } from "../../internal/index.ts";
import type { RoleUsage, Usage, WorstTokens } from "../budget/index.ts";
import { noUsage, sumByRole, sumUsage } from "../budget/index.ts";

/** One predictor call, with the data that reflection needs. */
export interface PredictorStep {
  /** Call path: `hop[1]/generateQueries`. */
  readonly path: string;
  readonly predictor: string;
  /** With placeholders for images, which the example has. */
  readonly inputs: JsonObject;
  /** `null` when the call failed. */
  readonly outputs: JsonObject | null;
  /** The last reply as the model wrote it; `null` when there was no reply. */
  readonly rawText: string | null;
  /** An agent's calls of tools, in the order they started; absent: none. */
  readonly tools?: readonly ToolStep[];
  /** The same calls by steps, as a demonstration shows them; absent: none. */
  readonly trajectory?: readonly DemonstratedStep[];
  readonly failure?: Failure;
}

/** A call of a tool and the beginning of what the model was told. */
export interface ToolStep {
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: string;
}

/** The metric's verdict on one rollout. */
export type RolloutScore =
  | {
      readonly kind: "scored";
      readonly value: number;
      readonly objectives?: Readonly<Record<string, number>>;
    }
  | { readonly kind: "not-applicable" }
  | { readonly kind: "unscored"; readonly failure: Failure };

/** The part of a rollout that reflection may see; kept only for examples that give feedback. */
export interface RolloutLesson {
  readonly feedback?: string;
  readonly blame?: readonly Blame[];
  readonly failure?: Failure;
  /** Predictors found not to be at fault. @default none */
  readonly excused?: readonly string[];
  /** The predictor calls, in the order in which they started. */
  readonly steps: readonly PredictorStep[];
  /** The start of the program's output as JSON, at most 1,000 UTF-16 code units. */
  readonly output?: string;
  /**
   * Score of the run that this is of, where it is one of several and its score is not their mean.
   * @default the rollout's
   */
  readonly score?: number;
}

/** A decision of one predictor call. */
export interface RolloutDecision extends LabelDecision {
  readonly predictor: string;
  readonly field: string;
}

/** One run of a candidate on one example, judged, as stored in the run's log. */
export interface Rollout {
  readonly exampleId: string;
  readonly score: RolloutScore;
  /** Predictors that its trace ran, without duplicates, in alphabetical order. */
  readonly ran: readonly string[];
  /** Usage of the program's calls. */
  readonly usage: Usage;
  /** Usage of all calls, including the metric's; absent if all of them were the student's. */
  readonly usageByRole?: RoleUsage;
  /** Wall time of the program's run; present only if the run measures it. */
  readonly latencyMs?: number;
  readonly worst: WorstTokens;
  /** Absent if no predictor asked for probabilities. */
  readonly decisions?: readonly RolloutDecision[];
  /** Number of runs: `score` is their mean, `usage` their sum. @default 1 */
  readonly runs?: number;
  /** Why the run failed, if a reply could not be used; of several runs, if all did. */
  readonly invalid?: string;
  readonly lesson?: RolloutLesson;
}

/** Of rollouts that ask no LM. */
const noneByStudent: RoleUsage = Object.freeze({ student: noUsage });

/** Total usage of rollouts and their judges. */
export function usageOfRollouts(rollouts: readonly Rollout[]): RoleUsage {
  if (rollouts.every(({ usage, usageByRole }) => usage === noUsage && usageByRole === undefined)) {
    return noneByStudent;
  }
  const plain = rollouts.filter(({ usageByRole }) => usageByRole === undefined);
  const student = sumUsage(plain.map(({ usage }) => usage));
  if (plain.length === rollouts.length) return { student };
  return sumByRole([{ student }, ...rollouts.flatMap(({ usageByRole }) => usageByRole ?? [])]);
}

/** The predictors that a trace ran, without duplicates, in alphabetical order. */
export function predictorsIn({ children }: Trace): readonly string[] {
  return [...new Set([...stepsIn(children)].map(({ predictor }) => predictor))].toSorted();
}

/** The predictor calls of a trace, in the order in which they started. */
export function stepsOf({ children }: Trace): readonly PredictorStep[] {
  return [...stepsIn(children)];
}

/** The decisions of a trace, by field, in the order in which the calls started. */
export function decisionsOf({ children }: Trace): readonly RolloutDecision[] {
  return [...predictorCallsIn(children)].flatMap(({ predictor, decisions = {} }) =>
    Object.entries(decisions).map(([field, decision]) => ({ predictor, field, ...decision })),
  );
}

function* stepsIn(nodes: readonly TraceNode[]): Generator<PredictorStep> {
  for (const node of predictorCallsIn(nodes)) {
    const { path, predictor, inputs, outputs = null, calls, tools, failure } = node;
    const rawText = calls.at(-1)?.rawText ?? null;
    yield {
      path,
      predictor,
      inputs: withoutImages(inputs),
      outputs,
      rawText,
      ...(tools && { tools: tools.map((each) => toolStep(each)) }),
      ...(tools && { trajectory: trajectoryOf(node) }),
      ...(failure && { failure }),
    };
  }
}

/** In UTF-16 code units. */
const longestResult = 400;

function toolStep(
  { tool, input, output = null, error }: ToolTrace,
  longest = longestResult,
): ToolStep {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  const result = error === undefined ? text : `Error: ${error}`;
  const isLong = result.length > longest;
  const shown = isLong ? `${result.slice(0, longest - 4).toWellFormed()} ...` : result;
  return { tool, input, result: shown };
}

/** In UTF-16 code units: a demonstration shows more of a result than a lesson does. */
const longestDemonstrated = 2_000;

/** An agent's calls by the steps that their paths name: `clerk/in_stock[1.2]`. */
function trajectoryOf({ tools = [], calls }: PredictorTrace): readonly DemonstratedStep[] {
  const stepIn = ({ path }: ToolTrace): number => Number(/\[(\d+)\.\d+\]$/.exec(path)?.[1] ?? 0);
  return [...Map.groupBy(tools, stepIn)].map(([step, made]) => {
    const thought = thoughtIn(calls[step - 1]?.rawText ?? "");
    return {
      ...(thought !== "" && { thought }),
      calls: made.map((one) => toolStep(one, longestDemonstrated)),
    };
  });
}

/** What the model wrote beside its calls: all of it, or the `thought` of a JSON reply. */
function thoughtIn(text: string): string {
  const object = text.trimStart().startsWith("{") ? jsonOrUndefined(text) : undefined;
  if (object === undefined) return text.trim();
  const thought = (object as { readonly thought?: unknown }).thought;
  return typeof thought === "string" ? thought : "";
}

function* predictorCallsIn(nodes: readonly TraceNode[]): Generator<PredictorTrace> {
  for (const node of nodes) {
    if (node.kind === "scope") yield* predictorCallsIn(node.children);
    if (node.kind === "predictor") yield node;
  }
}
