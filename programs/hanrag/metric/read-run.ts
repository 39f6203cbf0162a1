import type { PredictorTrace, RetrievalTrace, ScopeTrace, Trace, TraceNode } from "espalier";
import { z } from "zod";

/** One cycle of retrieval and generation, as recorded in the trace. */
export interface Cycle {
  /** Path of its scope: `step[2]`, or `part[2]` of a compound question. */
  readonly path: string;
  readonly question: string;
  /** Whether the refiner worded the question. */
  readonly isRefined: boolean;
  /** Ids, best first. */
  readonly found: readonly string[];
  readonly judged: readonly {
    readonly path: string;
    readonly id: string;
    readonly isRelevant: boolean;
  }[];
  /** Ids of the passages that the generator read. */
  readonly read: readonly string[];
  readonly answer: string;
}

/** One decision of the ending discriminator. */
export interface Ending {
  readonly path: string;
  readonly stepsSolved: number;
  readonly isSolved: boolean;
}

export interface HanragRun {
  readonly cycles: readonly Cycle[];
  readonly endings: readonly Ending[];
  /** Whether a predictor was called outside the cycles. */
  hasCalled(predictor: string): boolean;
}

/** Reads from a trace what a run of HANRAG did. */
export function readRun({ children }: Trace): HanragRun {
  const calls = children.filter(isPredictor);
  return {
    cycles: children
      .filter((node): node is ScopeTrace => node.kind === "scope")
      .map((scope) => cycleOf(scope)),
    endings: calls
      .filter(({ predictor }) => predictor === "judgeEnding")
      .map(({ path, outputs }) => ({
        path,
        stepsSolved: keyOf(path),
        isSolved: outputs?.["isSolved"] === true,
      })),
    hasCalled: (predictor) => calls.some((call) => call.predictor === predictor),
  };
}

function cycleOf({ path, children }: ScopeTrace): Cycle {
  const search = children.find((node): node is RetrievalTrace => node.kind === "retrieval");
  const calls = children.filter(isPredictor);
  const written = calls.find(({ predictor }) => predictor === "answerFromPassages");
  const found = search?.results.map(({ id }) => id) ?? [];
  return {
    path,
    question: search?.query ?? "",
    isRefined: calls.some(({ predictor }) => predictor === "refineQuestion"),
    found,
    judged: calls
      .filter(({ predictor }) => predictor === "judgeRelevance")
      .map((call) => ({
        path: call.path,
        id: found[keyOf(call.path) - 1] ?? "",
        // An unreadable judgement keeps its passage, as in the program.
        isRelevant: call.outputs?.["isRelevant"] !== false,
      })),
    read: passagesRead.parse(written?.inputs["passages"] ?? []).map(({ id }) => id),
    answer: answerWritten.parse(written?.outputs ?? {}).answer,
  };
}

const passagesRead = z.array(z.looseObject({ id: z.string() }));
const answerWritten = z.looseObject({ answer: z.string().default("") });

function isPredictor(node: TraceNode): node is PredictorTrace {
  return node.kind === "predictor";
}

/** The number in `judgeEnding[2]`. */
function keyOf(path: string): number {
  return Number(/\[(\d+)\]$/.exec(path)?.[1]);
}
