import type { Json } from "../../../../src/contract/index.ts";
import { contentHash } from "../../../../src/internal/index.ts";
import type { CandidateRecord } from "../../../../src/optimizer/index.ts";
import type { Mock } from "../../../../src/mock/index.ts";
import type { ExampleTrace } from "./example-trace.ts";
import { withoutContents } from "./example-trace.ts";
import type { KeptTraces } from "./kept-traces.ts";
import { mockTag } from "./mock-tag.ts";
import type { TrackedCandidate, TrackedExample } from "./tracked-run.ts";

export interface CandidateContext {
  /** Of the run. */
  readonly key: string;
  readonly objective: string;
  readonly mocks: readonly Mock[];
  /** Whether inputs, outputs, messages and feedback are included, where they were kept. */
  readonly hasContents: boolean;
  readonly hashOf: (components: CandidateRecord["components"]) => string;
  readonly traces: Pick<KeptTraces, "of" | "anyOf" | "countOf">;
}

/**
 * A candidate as an evaluation run. An example has steps and times if its trace was kept: not so
 * where the run was not tracked as it went, nor where its score was reused.
 */
export function searchCandidate(
  candidate: CandidateRecord,
  context: CandidateContext,
): TrackedCandidate {
  const { id, components, parents, changed, acceptance, selection, metricCallsBefore } = candidate;
  const { key, objective, mocks, hashOf, hasContents, traces } = context;
  const { value, coverage, objectives = {}, costs } = selection;
  const hash = hashOf(components);
  const step = metricCallsBefore;
  const means = Object.entries({ [objective]: value, ...objectives });
  const shown = {
    tags: {
      "espalier.kind": "candidate",
      "espalier.candidate": String(id),
      "espalier.content-hash": contentHash(components),
      "espalier.parents": parents.join(", "),
      "espalier.accepted-by": acceptance.by,
      // An estimate is not the mean of the scores below it.
      ...(selection.seen !== undefined && { "espalier.estimate-from": String(selection.seen) }),
      ...mockTag(mocks),
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
  };
  return {
    id: String(id),
    // A run whose end was taken back gives the same number to another candidate.
    key: `${key}/${id}-${hash.slice(0, 12)}`,
    digest: contentHash([shown, selection, traces.countOf(hash), hasContents]),
    name: `candidate ${id}`,
    ...shown,
    examples: { [Symbol.iterator]: () => examplesOf(candidate, hash, context) },
  };
}

function* examplesOf(
  { selection: { scores, objectiveScores = {} } }: CandidateRecord,
  hash: string,
  { objective, hasContents, traces }: CandidateContext,
): Generator<TrackedExample> {
  for (const [id, score] of Object.entries(scores)) {
    const trace = traces.of(hash, id) ?? untraced;
    yield {
      id,
      ...(hasContents ? trace : withoutContents(trace)),
      inputs: inputsOf(id, { trace, hasContents, traces }),
      scores: { ...(score !== null && { [objective]: score }), ...objectiveScores[id] },
    };
  }
}

const untraced: ExampleTrace = { startedAtMs: null, latencyMs: 0, failed: false, spans: [] };

/** The same for every candidate, whether or not its own run of the example was kept. */
function inputsOf(
  id: string,
  {
    trace,
    hasContents,
    traces,
  }: Pick<CandidateContext, "hasContents" | "traces"> & {
    readonly trace: ExampleTrace;
  },
): Json {
  const held = hasContents ? (trace.inputs ?? traces.anyOf(id)?.inputs) : undefined;
  return held ?? { example: id };
}
