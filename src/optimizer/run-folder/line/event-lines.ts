import type {
  ComponentKind,
  DemonstratedStep,
  Demonstration,
  DemonstrationVectors,
  NearestDemonstrations,
} from "../../../contract/index.ts";
import { EspalierError } from "../../../errors/index.ts";
import type { Shape } from "../../../internal/index.ts";
import {
  anything,
  count,
  either,
  finite,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  plainObject,
  recordOf,
  text,
  unionBy,
} from "../../../internal/index.ts";
import { identityShape } from "../../../lm/files.ts";
import type { OptimizerEvent, StopReason } from "../../contract/optimizer-event.ts";

/**
 * Checks that the lines of a journal are a complete sequence of events, in order, and that the
 * candidates they name were accepted before.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkEvents(
  path: string,
  lines: readonly unknown[],
): asserts lines is readonly OptimizerEvent[] {
  const checked = eventChecker(path);
  for (const line of lines) checked(line);
}

/** The same for one line after the other. */
export function eventChecker(path: string): (line: unknown) => OptimizerEvent {
  let [index, candidates] = [0, 0];
  return (line) => {
    checkLine(line, { shape: eventShape, path, index });
    const event = line as OptimizerEvent & { readonly sequence?: unknown };
    const problem = orderProblem(event, { index, candidates });
    if (problem !== null) throw malformedLine(`${path}:${index + 1}`, problem);
    if (event.kind === "candidate-accepted") candidates++;
    index++;
    return event;
  };
}

function orderProblem(
  event: OptimizerEvent & { readonly sequence?: unknown },
  { index, candidates }: { readonly index: number; readonly candidates: number },
): string | null {
  if (event.sequence !== index) {
    return `sequence: expected ${index}, because lines are numbered without gaps`;
  }
  if ((event.kind === "run-start") !== (index === 0))
    return "kind: expected run-start in the first line and nowhere else";
  if (event.kind === "candidate-accepted") {
    const { id, parents } = event.record;
    if (id !== candidates)
      return `record.id: expected ${candidates}, the number of candidates before it`;
    if (parents.some((parent) => parent >= candidates)) {
      return `record.parents: expected candidates below ${candidates}`;
    }
  }
  if (event.kind === "candidate-confirmed" && event.candidate >= candidates) {
    return `candidate: expected a number below ${candidates}`;
  }
  if (event.kind === "run-end" && event.best >= candidates) {
    return `best: expected a number below ${candidates}`;
  }
  return null;
}

/**
 * Checks the shape of a line of a run's files, which something else may have written.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkLine(
  line: unknown,
  { shape, path, index }: { readonly shape: Shape; readonly path: string; readonly index: number },
): void {
  const problem = shape(line);
  if (problem !== null) throw malformedLine(`${path}:${index + 1}`, problem);
}

function malformedLine(where: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the run's files does not have this version's format",
    where,
    got,
    fix: "Restore the file, or start a new run.",
  });
}

const names = listOf(text);
const ids = listOf(count);
const split = oneOf("train", "val", "test");
const named = objectOf({ name: text, version: text });
const scores = recordOf(orNull(finite));
const disputed = { reused: orNull(finite), again: orNull(finite) };
export const usage: Shape = objectOf({
  calls: count,
  uncountedCalls: optional(count),
  promptTokens: finite,
  completionTokens: finite,
});

const selection = objectOf({
  value: finite,
  seen: optional(count),
  scores,
  coverage: finite,
  objectives: optional(recordOf(finite)),
  objectiveScores: optional(recordOf(recordOf(finite))),
  costs: optional(
    objectOf({
      promptTokens: optional(finite),
      completionTokens: optional(finite),
      lmCalls: finite,
      latencyMs: optional(finite),
    }),
  ),
});

/** Of an agent's demonstrations. */
export const demonstratedStep: Shape = objectOf({
  thought: optional(text),
  calls: listOf(objectOf({ tool: text, input: plainObject, result: text })),
} satisfies Record<keyof DemonstratedStep, Shape | ReturnType<typeof optional>>);
const demonstration = objectOf({
  exampleId: text,
  inputs: plainObject,
  outputs: plainObject,
  cluster: optional(text),
  score: optional(finite),
  steps: optional(listOf(demonstratedStep)),
} satisfies Record<keyof Demonstration, Shape | ReturnType<typeof optional>>);
const nearest = objectOf({
  k: count,
  by: either(
    text,
    objectOf({
      embedder: identityShape,
      dimension: count,
      textsHash: text,
      vectors: listOf(text),
    } satisfies Record<keyof DemonstrationVectors, Shape>),
  ),
} satisfies Record<keyof NearestDemonstrations, Shape>);
const component = unionBy("kind", {
  instruction: objectOf({ path: text, value: text }),
  demos: objectOf({ path: text, value: listOf(demonstration), nearest: optional(nearest) }),
  fieldDescription: objectOf({ path: text, value: text }),
  toolDescription: objectOf({ path: text, value: text }),
  parameter: objectOf({ path: text, value: either(finite, flag, text) }),
} satisfies Record<ComponentKind, Shape>);

const record = objectOf({
  id: count,
  components: listOf(component),
  parents: ids,
  iteration: count,
  changed: names,
  learntFrom: names,
  gate: optional(objectOf({ exampleIds: names, parentSum: finite, childSum: finite })),
  selection,
  acceptance: objectOf({ by: text, detail: text }),
  metricCallsBefore: count,
});

/** The part of the run's description that is displayed. */
const run = objectOf({
  optimizer: named,
  seed: anything,
  program: optional(named),
  task: optional(named),
  trainset: optional(objectOf({ name: text })),
  objective: optional(objectOf({ name: text })),
  lm: optional(identityShape),
});

const stopReasons = {
  budget: true,
  "all-tried": true,
  perfect: true,
  stopper: true,
  "nothing-new": true,
  "reflection-failing": true,
} as const satisfies Record<StopReason, true>;

const dispute = objectOf({
  iteration: count,
  exampleId: text,
  ...disputed,
  repeated: listOf(objectOf(disputed)),
});

/** The required shape of a line of `journal.jsonl`. */
const eventShape: Shape = unionBy("kind", {
  "run-start": objectOf({ format: oneOf("espalier-journal/3"), run }),
  "search-chosen": objectOf({
    iteration: count,
    search: objectOf({ name: text, version: text, why: text }),
  }),
  "iteration-start": objectOf({ iteration: count }),
  "iteration-end": objectOf({ iteration: count, accepted: ids }),
  "candidate-evaluated": objectOf({
    iteration: count,
    candidate: either(oneOf("proposed"), count),
    split,
    value: orNull(finite),
    scores,
    coverage: finite,
    reused: count,
  }),
  "score-reuse-kept": dispute,
  "score-reuse-ended": dispute,
  "gold-replayed": objectOf({
    iteration: count,
    candidate: count,
    exampleId: text,
    predictor: text,
    score: orNull(finite),
    scoreWithGold: orNull(finite),
  }),
  "proposal-skipped": objectOf({ iteration: count, parent: count, reason: text }),
  "candidate-proposed": objectOf({ iteration: count, parents: ids, texts: recordOf(text) }),
  "candidate-refused": objectOf({
    iteration: count,
    parents: ids,
    components: names,
    reason: text,
    detail: text,
    texts: optional(recordOf(text)),
  }),
  "candidate-accepted": objectOf({
    iteration: count,
    candidate: count,
    parents: ids,
    value: finite,
    record,
  }),
  "candidate-confirmed": objectOf({ iteration: count, candidate: count, selection }),
  "budget-spent": objectOf({
    iteration: count,
    metricCalls: count,
    reflectionCalls: count,
    lmCalls: count,
    tokens: finite,
  }),
  "run-end": objectOf({
    reason: oneOf(...Object.keys(stopReasons)),
    detail: optional(text),
    best: count,
    value: finite,
    used: recordOf(usage),
  }),
} satisfies Record<OptimizerEvent["kind"], Shape>);
