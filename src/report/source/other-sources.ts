import type { LmRole } from "../../contract/index.ts";
import { mocksOfArtifact } from "../../artifact/files.ts";
import { scoresByExample } from "../../evaluate/index.ts";
import { isRehearsal } from "../../mock/index.ts";
import type {
  ComparedArtifact,
  ComparedResult,
  ComparedSpending,
} from "../data/compared-source.ts";
import type { ExampleTable } from "./example-table.ts";
import { componentTable } from "./component-table.ts";
import type { ArtifactGiven, ResultGiven } from "./source-given.ts";
import { testFigures } from "./test-figure.ts";

/** A result of `eval` as one source of a comparison: its program is candidate 0. */
export function resultSource(
  { path, result }: ResultGiven,
  { key, table }: { readonly key: string; readonly table: ExampleTable },
): ComparedResult {
  const { study, split, trainset, lm, mocks, evaluation, ledger } = result;
  const { program, metric, value, interval, objectives } = evaluation;
  const further = Object.entries(objectives).filter(([name]) => name !== metric.name);
  return {
    kind: "result",
    key,
    path,
    subject: {
      program,
      objective: metric,
      lm: lm.model,
      ...(trainset && { trainset: { name: trainset.name, checksum: trainset.checksum } }),
    },
    mocks,
    isRehearsal: result.isRehearsal,
    study,
    split,
    seed: evaluation.seed,
    components: [],
    candidates: [
      {
        ...single,
        measures: [
          ...(value === null
            ? []
            : [{ name: "quality", value, better: "higher", interval } as const]),
          ...further.map(([name, mean]) => ({
            name,
            value: mean,
            better: "higher" as const,
            interval: null,
          })),
        ],
        scores: { [split]: table.column(scoresByExample(evaluation)) },
      },
    ],
    best: 0,
    spending: spendingOf(ledger, evaluation.seconds),
  };
}

/** A compiled program as one source: candidate 0. */
export function artifactSource(
  { path, artifact, aliases = [] }: ArtifactGiven,
  { key }: { readonly key: string },
): ComparedArtifact {
  const { hash, compiled } = artifact;
  const { program, components, metric, dataset, lm, optimizer, lineage } = compiled;
  const parts = componentTable();
  const mocks = mocksOfArtifact(artifact);
  return {
    kind: "artifact",
    key,
    path,
    hash,
    subject: {
      program: { name: program.name, version: program.version },
      lm: lm.model,
      ...(metric && { objective: metric }),
      ...(dataset && { trainset: { name: dataset.name, checksum: dataset.checksum } }),
    },
    mocks,
    isRehearsal: isRehearsal(mocks),
    candidates: [
      {
        ...single,
        components: components.map((held) => parts.placeOf(held)),
        measures: [],
        scores: {},
      },
    ],
    components: parts.components,
    best: 0,
    ...(optimizer && { optimizer: { name: optimizer.name, seed: optimizer.seed } }),
    lineage: lineage.map(({ id, parents, val, valSeen: seen }) => ({
      id,
      parents,
      ...(typeof val === "number" && { val, ...(typeof seen === "number" && { seen }) }),
    })),
    test: testFigures(artifact),
    aliases,
  };
}

const single = {
  id: 0,
  parents: [],
  iteration: 0,
  changed: [],
  components: [],
  metricCallsBefore: 0,
} as const;

function spendingOf(
  { byRole }: ResultGiven["result"]["ledger"],
  seconds: number,
): ComparedSpending {
  const entries = Object.entries(byRole) as [LmRole, (typeof byRole)[LmRole] & object][];
  return {
    used: Object.fromEntries(
      entries.map(([role, { logical }]) => [
        role,
        {
          calls: logical.calls,
          promptTokens: logical.promptTokens,
          completionTokens: logical.completionTokens,
        },
      ]),
    ),
    billed: Object.fromEntries(entries.map(([role, { billed }]) => [role, billed])),
    costUsd: null,
    elapsedMs: seconds * 1000,
  };
}
