import type { Artifact, LineageEntry } from "../../artifact/index.ts";
import {
  artifactScore,
  compileArtifact,
  recordedInputs,
  recordedVectors,
} from "../../artifact/index.ts";
import type { JsonObject, LmIdentity, SplitName } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import type { OptimizationResult, OptimizerTask } from "../../optimizer/index.ts";
import type { Mock } from "../../mock/index.ts";
import { isRehearsal } from "../../mock/index.ts";
import type { TestReport } from "./test-report.ts";

export interface Optimized<TInput, TOutput, TLabels> {
  readonly task: OptimizerTask<TInput, TOutput, TLabels>;
  /** From which the program can be loaded. @default the program's own */
  readonly module: string | undefined;
  readonly result: OptimizationResult<TInput, TOutput>;
  readonly report: TestReport;
  readonly lm: LmIdentity;
  readonly mocks: readonly Mock[];
  /** Beside the costs of the search: espalier's version, ledger, server, LMs, workers. */
  readonly run: object;
}

/**
 * The artifact of an optimized program. Its compiled part depends only on study, seed and budget.
 */
export async function optimizationArtifact<TInput, TOutput, TLabels>({
  task: { program, objective, trainset },
  module,
  result,
  report,
  lm,
  mocks,
  run: about,
}: Optimized<TInput, TOutput, TLabels>): Promise<Artifact> {
  const { candidates, best, reason, run, spent, costUsd, seconds } = result;
  const { components } = best;
  const { optimizer, seed, budget, reflectionLm, judgeLm, teacherLm } = run as {
    readonly optimizer: { readonly name: string; readonly version: string };
    readonly seed: number;
    readonly budget: JsonObject;
    readonly reflectionLm: JsonObject;
    readonly judgeLm?: JsonObject;
    readonly teacherLm?: JsonObject;
  };
  const idsOf = (split: SplitName): readonly string[] => trainset.splits[split].map(({ id }) => id);
  const samples = recordedInputs(report.optimized.rows.map(({ trace }) => trace));
  return compileArtifact({
    program,
    candidate: components,
    ...(module !== undefined && { module }),
    lm,
    metric: objective,
    dataset: {
      trainset,
      splits: { train: idsOf("train"), val: idsOf("val"), test: idsOf("test") },
    },
    optimizer: {
      ...optimizer,
      seed,
      budget,
      reflectionLm,
      ...(judgeLm && { judgeLm }),
      ...(teacherLm && { teacherLm }),
      reason,
      best: String(best.id),
    },
    scores: [artifactScore(report.optimized, "test")],
    lineage: candidates.map((candidate): LineageEntry => {
      const { id, parents, iteration, changed, selection, components } = candidate;
      const texts = components.flatMap((component) => {
        const name = componentId(component);
        const { value } = component;
        return changed.includes(name) && typeof value === "string" ? [[name, value] as const] : [];
      });
      return {
        id: String(id),
        parents: parents.map(String),
        iteration,
        val: selection.value,
        ...(selection.seen !== undefined && { valSeen: selection.seen }),
        ...(texts.length === 0 ? {} : { texts: Object.fromEntries(texts) }),
      };
    }),
    samples,
    vectors: await recordedVectors(program.with(components), samples),
    run: {
      ...about,
      finishedAt: new Date().toISOString(),
      isRehearsal: isRehearsal(mocks),
      ...(mocks.length > 0 && { mocks }),
      seconds,
      spent,
      costUsd,
      seedOnTest: artifactScore(report.seed, "test"),
      comparison: report.comparison,
    },
  });
}
