import type { Artifact, LineageEntry } from "../../artifact/index.ts";
import {
  artifactScore,
  compileArtifact,
  recordedInputs,
  recordedVectors,
} from "../../artifact/index.ts";
import type { SplitName, JsonObject } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import type { LedgerSnapshot } from "../../ledger/index.ts";
import type { OptimizationResult } from "../../optimizer/index.ts";
import type { QueueCounts } from "../packages/workers-package.ts";
import type { Study } from "../../study/index.ts";
import { moduleFrom } from "../artifact/keep-artifact.ts";
import { manifest } from "../arguments/manifest.ts";
import type { Mock } from "../../mock/index.ts";
import { isRehearsal } from "../../mock/index.ts";
import type { OpenedLms } from "../lm/open-lms.ts";
import type { TestReport } from "./test-report.ts";

export interface Optimized {
  readonly study: Study;
  readonly studyPath: string;
  readonly artifactPath: string;
  readonly result: OptimizationResult;
  readonly report: TestReport;
  readonly ledger: LedgerSnapshot;
  readonly workers?: QueueCounts | undefined;
  readonly opened: OpenedLms;
  readonly mocks: readonly Mock[];
}

/**
 * The artifact of an optimized program. Its compiled part depends only on study, seed and budget.
 */
export async function optimizationArtifact({
  study: { program, objective, trainset },
  studyPath,
  artifactPath,
  result,
  report,
  ledger,
  workers,
  opened,
  mocks,
}: Optimized): Promise<Artifact> {
  const { components, candidates, best, reason, run, spent, costUsd, seconds } = result;
  const { optimizer, seed, budget, reflectionLm, judgeLm, teacherLm } = run as {
    readonly optimizer: { readonly name: string; readonly version: string };
    readonly seed: number;
    readonly budget: JsonObject;
    readonly reflectionLm: JsonObject;
    readonly judgeLm?: JsonObject;
    readonly teacherLm?: JsonObject;
  };
  const { lms } = opened.report();
  const idsOf = (split: SplitName): readonly string[] => trainset.splits[split].map(({ id }) => id);
  const samples = recordedInputs(report.optimized.rows.map(({ trace }) => trace));
  return compileArtifact({
    program,
    candidate: components,
    module: moduleFrom(artifactPath, studyPath),
    lm: opened.lm.identity,
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
      espalier: manifest.version,
      finishedAt: new Date().toISOString(),
      isRehearsal: isRehearsal(mocks),
      ...(mocks.length > 0 && { mocks }),
      ...(lms && { lms }),
      seconds,
      spent,
      costUsd,
      ledger,
      ...(workers && { workers }),
      server: opened.server,
      seedOnTest: artifactScore(report.seed, "test"),
      comparison: report.comparison,
    },
  });
}
