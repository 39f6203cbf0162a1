import type { Study } from "espalier";
import type { Compiled } from "espalier/artifact";
import { compare, evaluate } from "espalier/evaluate";
import { connect, ledger } from "espalier/lm";
import type { Budget } from "espalier/optimizer";
import { grow, optimize } from "espalier/optimizer";
import type { CallReport, FaultShares } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";
import { optimizationArtifact } from "../../../src/cli/optimize/optimization-artifact.ts";

export interface HttpRun {
  readonly compiled: Compiled;
  readonly calls: CallReport;
}

/** Optimizes and reports as the command line does, with short pauses between attempts. */
export async function optimizeOverHttp(
  study: Study,
  {
    faults,
    concurrency,
    budget,
  }: {
    readonly faults: FaultShares;
    readonly concurrency: number;
    readonly budget: Budget;
  },
): Promise<HttpRun> {
  await using server = await serveRehearsal({ faults, seed: 11 });
  await using lm = connect({
    baseUrl: `${server.url}/v1`,
    model: "rehearsal",
    concurrency,
    // Requests in flight wait for each other on a busy machine, which must not look like a stall.
    stallTimeoutMs: faults.stall === undefined ? 60_000 : 500 + 100 * concurrency,
    retry: { attempts: 64, baseDelayMs: 2, maxDelayMs: 20 },
  });
  const optimizer = study.optimizer ?? grow();
  const result = await optimize(study, { optimizer, budget, lm, concurrency });

  const { program, objective: metric, trainset } = study;
  const examples = trainset.splits.test;
  const measure = { examples, metric, lm, concurrency, seed: optimizer.seed };
  const seed = await evaluate({ ...measure, program });
  const optimized = await evaluate({ ...measure, program: result.program });
  const comparison = compare(seed, optimized);
  const standIns = [{ part: "lm", ...lm.identity }] as const;
  const { compiled } = await optimizationArtifact({
    study,
    studyPath: "study.ts",
    artifactPath: "artifact.json",
    result,
    report: { metric: metric.name, seed, optimized, comparison, objectives: [] },
    ledger: ledger().snapshot(),
    opened: {
      lm,
      concurrency,
      lms: {},
      standIns,
      server: null,
      baseUrls: [],
      apiKey: undefined,
      secrets: [],
      report: () => ({
        lm: lm.identity,
        isRehearsal: true,
        standIns,
        ledger: ledger().snapshot(),
      }),
      [Symbol.asyncDispose]: async () => {},
    },
    standIns,
  });
  return { compiled, calls: server.calls() };
}
