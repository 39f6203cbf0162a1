import type { JsonObject } from "../contract/index.ts";
import { contentHash } from "../internal/index.ts";
import type { CandidateRecord, RecordedRun } from "../optimizer/index.ts";
import type { StandIn } from "../stand-in/index.ts";
import { standInsOfRun } from "../stand-in/index.ts";
import type {
  TrackedArtifact,
  TrackedCandidate,
  TrackedExample,
  TrackedMetric,
  TrackedPrompt,
  TrackedRun,
} from "./tracked-run.ts";
import { valueAt } from "./value-at.ts";

export interface SearchRunOptions {
  readonly key: string;
  readonly startedAtMs: number;
  /** When its last event was written. */
  readonly changedAtMs: number;
  readonly artifacts: readonly TrackedArtifact[];
}

/**
 * A run of an optimizer, from its journal: its candidates, with the score of each on each example
 * that selects. A journal holds no traces, so each example is one step without a duration.
 */
export function searchRun(
  recorded: RecordedRun,
  { key, startedAtMs, changedAtMs, artifacts }: SearchRunOptions,
): TrackedRun {
  const { run, end, candidates, best, spent } = recorded;
  const [program, optimizer, objective, trainset] = [
    nameIn(run, "program", "task"),
    nameIn(run, "optimizer"),
    nameIn(run, "objective"),
    nameIn(run, "trainset"),
  ];
  const standIns = standInsOfRun(run);
  const checksum = valueAt(run, "trainset", "checksum");
  return {
    key,
    name: `${optimizer} of ${program}`,
    startedAtMs,
    endedAtMs: end === undefined ? null : changedAtMs,
    tags: {
      "espalier.kind": "search",
      "espalier.run-hash": contentHash(run),
      ...(end && { "espalier.end": end.reason }),
      ...(best && { "espalier.best": String(best.id) }),
      ...standInTag(standIns),
    },
    params: {
      program,
      optimizer,
      objective,
      trainset,
      seed: JSON.stringify(run["seed"] ?? null),
      ...modelsIn(run),
    },
    metrics: [
      ...candidates.flatMap((candidate) => valuesOf(candidate, candidates)),
      ...Object.entries(spent).map(([name, value]) => ({ name: `spent/${name}`, value, step: 0 })),
    ],
    ...(typeof checksum === "string" && { dataset: { name: trainset, checksum } }),
    candidates: candidates.map((candidate) =>
      trackedCandidate(candidate, { objective, startedAtMs, standIns }),
    ),
    prompts: best === null ? [] : promptsOf(program, best),
    artifacts,
  };
}

/**
 * The value of a candidate, and the best by then. Candidates are numbered in the order of their
 * acceptance, which need not be that of their evaluations.
 */
function valuesOf(
  { selection, metricCallsBefore: step }: CandidateRecord,
  candidates: readonly CandidateRecord[],
): readonly TrackedMetric[] {
  const known = candidates.filter(({ metricCallsBefore }) => metricCallsBefore <= step);
  const best = Math.max(...known.map(({ selection: { value } }) => value));
  return [
    { name: "value", value: selection.value, step },
    { name: "best", value: best, step },
  ];
}

function trackedCandidate(
  candidate: CandidateRecord,
  {
    objective,
    startedAtMs,
    standIns,
  }: {
    readonly objective: string;
    readonly startedAtMs: number;
    readonly standIns: readonly StandIn[];
  },
): TrackedCandidate {
  const { id, components, parents, changed, acceptance, selection, metricCallsBefore } = candidate;
  const { value, coverage, scores, objectives = {}, objectiveScores = {}, costs } = selection;
  const step = metricCallsBefore;
  const means = Object.entries({ [objective]: value, ...objectives });
  return {
    id: String(id),
    name: `candidate ${id}`,
    tags: {
      "espalier.kind": "candidate",
      "espalier.candidate": String(id),
      "espalier.content-hash": contentHash(components),
      "espalier.parents": parents.join(", "),
      "espalier.accepted-by": acceptance.by,
      // An estimate is not the mean of the scores below it.
      ...(selection.seen !== undefined && { "espalier.estimate-from": String(selection.seen) }),
      ...standInTag(standIns),
    },
    params: {
      changed: changed.join(", "),
      ...Object.fromEntries(
        components.flatMap((component) =>
          component.kind === "parameter" ? [[component.path, String(component.value)]] : [],
        ),
      ),
    },
    metrics: [
      ...means.map(([name, mean]) => ({ name: `${name}/mean`, value: mean, step })),
      { name: "coverage", value: coverage, step },
      ...Object.entries(costs ?? {}).map(([name, cost]) => ({
        name: `cost/${name}`,
        value: cost,
        step,
      })),
    ],
    examples: Object.entries(scores).map(([example, score]): TrackedExample => ({
      id: example,
      inputs: { example },
      startedAtMs,
      latencyMs: 0,
      failed: false,
      spans: [],
      scores: { ...(score !== null && { [objective]: score }), ...objectiveScores[example] },
    })),
  };
}

function promptsOf(program: string, { components }: CandidateRecord): readonly TrackedPrompt[] {
  return components.flatMap((component) =>
    component.kind === "instruction"
      ? [{ name: `${program}.${component.path}`, text: component.value, alias: "candidate" }]
      : [],
  );
}

const models = ["lm", "reflectionLm", "judgeLm", "teacherLm"] as const;

function modelsIn(run: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    models.flatMap((role) => {
      const model = valueAt(run, role, "model");
      return typeof model === "string" ? [[role, model]] : [];
    }),
  );
}

/** Names the parts that stand-ins played, so that their figures are not taken for a model's. */
export function standInTag(standIns: readonly StandIn[]): Readonly<Record<string, string>> {
  if (standIns.length === 0) return {};
  const parts = standIns.map(({ part, model }) => `${part} (${model})`).join(", ");
  return { "espalier.stand-ins": parts };
}

function nameIn(run: JsonObject, ...keys: readonly string[]): string {
  const name = keys.map((key) => valueAt(run, key, "name")).find((found) => found !== undefined);
  return typeof name === "string" ? name : "unnamed";
}
