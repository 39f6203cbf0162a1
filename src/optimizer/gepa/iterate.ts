import type { Candidate } from "../../contract/index.ts";
import { randomSource } from "../../internal/index.ts";
import type { CandidateRecord, RefusalReason } from "../candidate-record.ts";
import { componentId } from "../candidate-record.ts";
import type { StepEvaluation } from "../evaluation/index.ts";
import type { OptimizerEvent } from "../optimizer-event.ts";
import { epochMinibatch } from "./epoch-minibatch.ts";
import { evaluateAndTell } from "./evaluate-and-tell.ts";
import type { GepaSettings, TextComponent } from "./gepa-settings.ts";
import type { GepaState } from "./gepa-state.ts";
import { candidateHash, withAccepted } from "./gepa-state.ts";
import type { Iteration } from "./iteration.ts";
import { paretoParent } from "./pareto-parent.ts";
import { propose } from "./propose.ts";
import type { ReflectiveCase } from "./reflective-cases.ts";
import { reflectiveCases } from "./reflective-cases.ts";
import { roundRobin } from "./round-robin.ts";
import { gateSums, isStrictImprovement } from "./strict-improvement.ts";

/** One iteration: parent, minibatch, reflection, and the child if there is one. */
export async function iterate(
  state: GepaState,
  number: number,
  shared: Iteration,
): Promise<GepaState> {
  const { run, settings, train } = shared;
  const valueOf = (id: number): number => state.candidates[id]?.selection.value ?? 0;
  const parentId = paretoParent(
    state.front,
    valueOf,
    randomSource(run.seed, "gepa/parent", number),
  );
  const parent = state.candidates[parentId] as CandidateRecord;
  const exampleIds = epochMinibatch(train, settings.minibatchSize, number, (epoch) =>
    randomSource(run.seed, "gepa/epoch", epoch),
  );
  run.emit({ kind: "iteration-start", iteration: number, parent: parentId, exampleIds });
  const skip = (reason: SkipReason, next: GepaState): GepaState => {
    run.emit({ kind: "iteration-skipped", iteration: number, reason });
    return { ...next, idle: next.idle + 1 };
  };

  // Known to teach nothing: no rollout is spent on learning it again.
  if (exampleIds.every((id) => state.perfect[parentId]?.has(id) === true)) {
    return skip("all-perfect", state);
  }
  const evaluation = await evaluateAndTell(run, {
    iteration: number,
    candidate: parentId,
    components: parent.components,
    split: "train",
    exampleIds,
  });
  const known = withPerfect(state, parentId, perfectIn(evaluation, settings));
  if (!evaluation.isAcceptable) return skip("low-coverage", known);
  if (exampleIds.every((id) => known.perfect[parentId]?.has(id) === true)) {
    return skip("all-perfect", known);
  }
  const chosen = chooseComponent(known, parent, evaluation);
  if (chosen === undefined) return skip("not-invoked", known);
  const pointers = known.pointers.with(parentId, chosen.next);
  return tryProposal({ ...known, pointers }, { number, parent, evaluation, ...chosen }, shared);
}

type SkipReason = Extract<OptimizerEvent, { readonly kind: "iteration-skipped" }>["reason"];

interface Attempted {
  readonly number: number;
  readonly parent: CandidateRecord;
  /** The parent's, on the minibatch. */
  readonly evaluation: StepEvaluation;
  readonly component: TextComponent;
  readonly cases: readonly ReflectiveCase[];
}

async function tryProposal(
  state: GepaState,
  { number, parent, evaluation, component, cases }: Attempted,
  shared: Iteration,
): Promise<GepaState> {
  const { run, settings, val } = shared;
  const changed = componentId(component);
  const refuse = (
    reason: RefusalReason,
    detail: string,
    next: GepaState,
    text?: string,
  ): GepaState => {
    const refusal = { iteration: number, parent: parent.id, component: changed, reason, detail };
    run.emit({
      kind: "candidate-refused",
      ...refusal,
      ...(text === undefined ? {} : { value: text }),
    });
    const told = { ...refusal, ...(text === undefined ? {} : { text }) };
    return { ...next, refusals: [...next.refusals, told] };
  };
  const childOf = (text: string): Candidate =>
    parent.components.map((held) =>
      componentId(held) === changed ? { ...component, value: text } : held,
    );

  const proposal = await propose(
    {
      component,
      cases,
      iteration: number,
      isTried: (text) => state.tried.has(candidateHash(childOf(text))),
    },
    shared,
  );
  if (!proposal.ok) {
    const { reason, detail, text, isFailure } = proposal;
    const reflectionFailures = isFailure ? state.reflectionFailures + 1 : 0;
    const next = { ...state, idle: state.idle + 1, reflectionFailures };
    return refuse(reason, detail, next, text);
  }
  const { text } = proposal;
  const components = childOf(text);
  run.emit({
    kind: "candidate-proposed",
    iteration: number,
    parent: parent.id,
    component: changed,
    value: text,
  });
  const tried = new Set([...state.tried, candidateHash(components)]);
  const next = { ...state, tried, idle: 0, reflectionFailures: 0 };
  const told = { iteration: number, candidate: "proposed", components } as const;

  const exampleIds = evaluation.rollouts.map((rollout) => rollout.exampleId);
  const child = await evaluateAndTell(run, { ...told, split: "train", exampleIds });
  if (!child.isAcceptable) {
    return refuse("low-coverage", "Faults left too little of the minibatch to judge.", next, text);
  }
  const sums = gateSums(evaluation, child);
  if (!isStrictImprovement(sums)) {
    const { parentSum, childSum } = sums;
    const detail = `Sum of ${shown(childSum)} on the minibatch, the parent's is ${shown(parentSum)}.`;
    return refuse("not-better", detail, next, text);
  }

  const metricCallsBefore = run.spent.metricCalls;
  const selected = await evaluateAndTell(run, { ...told, split: "val", exampleIds: val });
  const { value, scores, coverage } = selected;
  if (!selected.isAcceptable || value === null) {
    return refuse("low-coverage", "Faults left too little of val to judge.", next, text);
  }
  const candidate: CandidateRecord = Object.freeze({
    id: state.candidates.length,
    components,
    parents: [parent.id],
    iteration: number,
    changed,
    gate: { exampleIds, ...sums },
    selection: { value, scores, coverage },
    metricCallsBefore,
  });
  const { id, parents } = candidate;
  run.emit({ kind: "candidate-accepted", iteration: number, candidate: id, parents, value });
  await run.checkpoint();
  return withAccepted(next, candidate, perfectIn(child, settings));
}

/** The first component, from the parent's pointer on, whose predictor ran in these rollouts. */
function chooseComponent(
  state: GepaState,
  { id, components }: CandidateRecord,
  { rollouts }: StepEvaluation,
): { component: TextComponent; next: number; cases: readonly ReflectiveCase[] } | undefined {
  for (const { component, next } of roundRobin(components, state.pointers[id] ?? 0)) {
    const [predictor = ""] = component.path.split(".");
    const cases = reflectiveCases(rollouts, predictor);
    if (cases.length > 0) return { component: component as TextComponent, next, cases };
  }
  return undefined;
}

function withPerfect(state: GepaState, id: number, ids: ReadonlySet<string>): GepaState {
  const perfect = state.perfect.with(id, new Set([...(state.perfect[id] ?? []), ...ids]));
  return { ...state, perfect };
}

/** Examples that have nothing more to teach: perfect ones, and those the metric does not apply to. */
function perfectIn(
  { rollouts }: StepEvaluation,
  { perfectScore }: GepaSettings,
): ReadonlySet<string> {
  const isDone = ({ score }: StepEvaluation["rollouts"][number]): boolean =>
    score.kind === "not-applicable" ||
    (score.kind === "scored" && score.value >= (perfectScore ?? Infinity));
  return new Set(rollouts.filter(isDone).map(({ exampleId }) => exampleId));
}

function shown(sum: number): string {
  return String(Number(sum.toFixed(4)));
}
