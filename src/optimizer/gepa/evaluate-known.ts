import type { Candidate } from "../../contract/index.ts";
import type { Rollout, StepEvaluation } from "../evaluation/index.ts";
import type { Audit } from "./audit-inheritance.ts";
import { auditInheritance } from "./audit-inheritance.ts";
import type { Search } from "./search.ts";

export interface EvaluationRequest {
  /** Id, or "proposed". */
  readonly candidate: number | "proposed";
  readonly components: Candidate;
  readonly split: "train" | "val";
  readonly exampleIds: readonly string[];
}

/** What is known of a request, and what must be run. */
interface Lookup {
  readonly request: EvaluationRequest;
  /** By place in `exampleIds`. */
  readonly inherited: readonly (Rollout | undefined)[];
  /** Places of what is run though it is known. */
  readonly audited: ReadonlySet<number>;
  /** Ids of what is run. */
  readonly missing: readonly string[];
}

/**
 * Evaluates candidates side by side. What is known already is not run again; what is run is remembered,
 * and told with the scores and what was spent.
 */
export async function evaluateKnown(
  search: Search,
  requests: readonly EvaluationRequest[],
): Promise<readonly StepEvaluation[]> {
  const { run, iteration } = search;
  const lookups = lookUp(search, requests);
  const made = await runMissing(search, lookups);
  const evaluations = lookups.map((lookup, place) => conclude(search, lookup, made[place] ?? []));
  run.emit({ kind: "budget-spent", iteration, ...run.spent });
  await auditInheritance(search, lookups.flatMap(auditsOf(made)));
  return evaluations;
}

function lookUp(search: Search, requests: readonly EvaluationRequest[]): readonly Lookup[] {
  const { run, memory, space } = search;
  const needed = requests.reduce((sum, { exampleIds }) => sum + exampleIds.length, 0);
  // A re-run must not take what a proposal needs to be carried to its end.
  const spare = { metricCalls: needed + space.val.length, reflections: 0 };
  return requests.map((request) => {
    const { components, split, exampleIds } = request;
    if (memory.inheritance === "candidate" && split === "train") {
      return { request, inherited: [], audited: noPlaces, missing: exampleIds };
    }
    const known = memory.known(components, split);
    const audited = new Set<number>();
    const missing: string[] = [];
    const inherited = exampleIds.map((id, place) => {
      const rollout = known(id);
      if (rollout !== undefined && memory.isAuditDue() && run.fits(spare)) audited.add(place);
      if (rollout === undefined || audited.has(place)) missing.push(id);
      return rollout;
    });
    return { request, inherited, audited, missing };
  });
}

const noPlaces: ReadonlySet<number> = new Set();

/** New rollouts of each request, in the order of what it misses. */
async function runMissing(
  { run, memory }: Search,
  lookups: readonly Lookup[],
): Promise<readonly (readonly Rollout[])[]> {
  const toRun = lookups.flatMap(({ request: { components, split }, missing }) =>
    missing.length === 0
      ? []
      : [
          {
            candidate: components,
            // Where train selects, what is run for its score teaches, too.
            split: memory.sharesSplits ? ("train" as const) : split,
            exampleIds: missing,
          },
        ],
  );
  const made = toRun.length === 0 ? [] : await run.evaluate(toRun);
  let next = 0;
  return lookups.map(({ missing }) => (missing.length === 0 ? [] : (made[next++] ?? [])));
}

/** Remembers what was run, and tells the scores of all that was asked for. */
function conclude(
  search: Search,
  { request, inherited, audited }: Lookup,
  made: readonly Rollout[],
): StepEvaluation {
  const { run, memory, iteration, invoked, lessons } = search;
  const { candidate, components, split, exampleIds } = request;
  memory.add(components, split, made);
  for (const { ran } of made) for (const name of ran) invoked.add(name);
  if (split === "train" && candidate !== "proposed") lessons.add(candidate, made);
  let next = 0;
  const judged: Rollout[] = [];
  for (let place = 0; place < exampleIds.length; place++) {
    const known = inherited[place];
    const fresh = known === undefined || audited.has(place) ? made[next++] : undefined;
    // A fault of a re-run says nothing of the score that is known.
    const isFault = fresh?.score.kind === "unscored";
    const rollout = fresh === undefined || isFault ? (known ?? fresh) : fresh;
    if (rollout !== undefined) judged.push(rollout);
  }
  const evaluation = run.summarize(split, judged);
  const { value, scores, coverage } = evaluation;
  run.emit({
    kind: "candidate-evaluated",
    iteration,
    candidate,
    split,
    value,
    scores,
    coverage,
    inherited: exampleIds.length - made.length,
  });
  return evaluation;
}

/** Pairs what was inherited and run all the same. */
function auditsOf(
  made: readonly (readonly Rollout[])[],
): (lookup: Lookup, place: number) => readonly Audit[] {
  return ({ request: { components, split, exampleIds }, inherited, audited }, number) =>
    [...audited].flatMap((place) => {
      const again = made[number]?.find(({ exampleId }) => exampleId === exampleIds[place]);
      const before = inherited[place];
      return again === undefined || before === undefined
        ? []
        : [{ components, split, inherited: before, again }];
    });
}
