import type { Json, JsonObject } from "../../../../src/contract/index.ts";
import { contentHash } from "../../../../src/internal/index.ts";
import type { CandidateRecord, DecidedRun } from "../../../../src/optimizer/index.ts";
import { mocksOfRun } from "../../../../src/mock/index.ts";
import type { LmOf } from "./trace-spans.ts";
import type { TrackedHead, TrackedMetric, TrackedPrompt, TrackedRun } from "./tracked-run.ts";
import type { TrackedArtifact } from "./tracked-run.ts";
import type { CandidateContext } from "./search-candidate.ts";
import { searchCandidate } from "./search-candidate.ts";
import { mockTag } from "./mock-tag.ts";
import { valueAt } from "./value-at.ts";

export interface SearchRunOptions extends Omit<CandidateContext, "objective" | "mocks" | "key"> {
  readonly key: string;
  readonly startedAtMs: number;
  /** When its last event was written. */
  readonly changedAtMs: number;
  readonly history: readonly TrackedMetric[];
  readonly artifacts: readonly TrackedArtifact[];
}

/** A run of an optimizer: its candidates, with the score of each on each example that selects. */
export function searchRun(
  decided: DecidedRun,
  { key, startedAtMs, changedAtMs, history, artifacts, ...options }: SearchRunOptions,
): TrackedRun {
  const { run, end, candidates } = decided;
  const head = searchHead(run, { key, startedAtMs });
  const context = { ...options, ...candidateContext(run, key) };
  return {
    ...head,
    endedAtMs: end === undefined ? null : changedAtMs,
    tags: { ...head.tags, ...endTags(decided) },
    metrics: history,
    candidates: candidates.map((candidate) => searchCandidate(candidate, context)),
    prompts: promptsOf(decided),
    artifacts,
  };
}

/** What a run's first event says. */
export function searchHead(
  run: JsonObject,
  { key, startedAtMs }: { readonly key: string; readonly startedAtMs: number },
): TrackedHead {
  const [program, optimizer, trainset] = [
    programIn(run),
    nameIn(run, "optimizer"),
    nameIn(run, "trainset"),
  ];
  const checksum = valueAt(run, "trainset", "checksum");
  return {
    key,
    name: `${optimizer} of ${program}`,
    startedAtMs,
    tags: {
      "espalier.kind": "search",
      "espalier.run-hash": contentHash(run),
      ...mockTag(mocksOfRun(run)),
    },
    params: {
      program,
      optimizer,
      objective: nameIn(run, "objective"),
      trainset,
      seed: JSON.stringify(run["seed"] ?? null),
      ...modelsIn(run),
    },
    ...(typeof checksum === "string" && { dataset: { name: trainset, checksum } }),
  };
}

/** What a run says of all its candidates. */
export function candidateContext(
  run: JsonObject,
  key: string,
): Pick<CandidateContext, "key" | "objective" | "mocks"> {
  return { key, objective: nameIn(run, "objective"), mocks: mocksOfRun(run) };
}

/** How a run ended, and its best candidate so far. */
export function endTags({
  end,
  best,
}: Pick<DecidedRun, "end" | "best">): Readonly<Record<string, string>> {
  return {
    ...(end && { "espalier.end": end.reason }),
    ...(best && { "espalier.best": String(best.id) }),
  };
}

/** Instructions of the best candidate. */
export function promptsOf({ run, best }: Pick<DecidedRun, "run" | "best">): TrackedPrompt[] {
  const program = programIn(run);
  return (best?.components ?? []).flatMap((component: CandidateRecord["components"][number]) =>
    component.kind === "instruction"
      ? [{ name: `${program}.${component.path}`, text: component.value, alias: "candidate" }]
      : [],
  );
}

/** The LM that each predictor of a run asks. */
export function lmsIn(run: JsonObject): LmOf {
  return (name) => identityIn(valueAt(run, "lms", name)) ?? identityIn(run["lm"]);
}

function identityIn(value: Json | undefined): ReturnType<LmOf> {
  const [provider, model] = [valueAt(value, "provider"), valueAt(value, "model")];
  return typeof provider === "string" && typeof model === "string"
    ? { provider, model }
    : undefined;
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

function programIn(run: JsonObject): string {
  return nameIn(run, "program", "task");
}

function nameIn(run: JsonObject, ...keys: readonly string[]): string {
  const name = keys.map((key) => valueAt(run, key, "name")).find((found) => found !== undefined);
  return typeof name === "string" ? name : "unnamed";
}
