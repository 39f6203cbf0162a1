import type { Embedder, Study } from "espalier";
import type { Compiled } from "espalier/artifact";
import { compare, evaluate } from "espalier/evaluate";
import { connect, connectEmbedder } from "espalier/lm";
import type { Budget } from "espalier/optimizer";
import { autoSearch, optimize } from "espalier/optimizer";
import type { CallReport, FaultShares, RehearsalServerOptions } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";
import { optimizationArtifact } from "../../../src/report/files.ts";

export interface HttpRun {
  readonly compiled: Compiled;
  readonly calls: CallReport;
}

/** A study, or how to declare it with an embedder. */
export type StudyOverHttp = Study | ((embedder: Embedder) => Study);

/** Optimizes and reports as the command line does, with short pauses between attempts. */
export async function optimizeOverHttp(
  declared: StudyOverHttp,
  {
    faults,
    latencyMs = 0,
    concurrency,
    budget,
  }: {
    readonly faults: FaultShares;
    readonly latencyMs?: RehearsalServerOptions["latencyMs"] & {};
    readonly concurrency: number;
    readonly budget: Budget;
  },
): Promise<HttpRun> {
  await using server = await serveRehearsal({ faults, latencyMs, seed: 11 });
  const client = {
    baseUrl: `${server.url}/v1`,
    model: "rehearsal",
    concurrency,
    // Requests in flight wait for each other on a busy machine, which must not look like a stall.
    stallTimeoutMs: faults.stall === undefined ? 60_000 : 500 + 100 * concurrency,
    retry: { attempts: 64, baseDelayMs: 2, maxDelayMs: 20 },
  };
  await using lm = connect({ ...client, examinationsFolder: null });
  const study = typeof declared === "function" ? declared(connectEmbedder(client)) : declared;
  const optimizer = study.optimizer ?? autoSearch();
  const result = await optimize(study, { optimizer, budget, lm, concurrency });

  const { program, objective: metric, trainset } = study;
  const examples = trainset.splits.test;
  const measure = { examples, metric, lm, concurrency, seed: optimizer.seed };
  const seed = await evaluate({ ...measure, program });
  const optimized = await evaluate({ ...measure, program: result.program });
  const comparison = compare(seed, optimized);
  const { compiled } = await optimizationArtifact({
    task: study,
    module: "./study.ts",
    result,
    report: { metric: metric.name, seed, optimized, comparison, objectives: [], drift: null },
    lm: lm.identity,
    mocks: [{ part: "lm", ...lm.identity }],
    run: {},
  });
  return { compiled, calls: server.calls() };
}
