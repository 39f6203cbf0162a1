import { expect } from "vitest";
import { evaluate } from "espalier/evaluate";
import { connect, ledger } from "espalier/lm";
import type { FaultShares } from "@espalier/rehearsal";
import { serveRehearsal } from "@espalier/rehearsal";
import { tokenF1 } from "espalier/metric";
import { answerer } from "../cli/fixtures/towns.ts";
import { townQuestions } from "../support/town-questions.ts";

export interface FaultRun {
  readonly examples: number;
  readonly stallTimeoutMs: number;
  readonly faults: FaultShares;
}

/** Evaluates the same examples over HTTP, with the faults and 12 attempts for each call. */
export async function evaluateUnderFaults({ examples, stallTimeoutMs, faults }: FaultRun) {
  await using server = await serveRehearsal({ faults, seed: 5 });
  const costs = ledger();
  await using lm = connect({
    baseUrl: `${server.url}/v1`,
    model: "rehearsal",
    stallTimeoutMs,
    concurrency: 32,
    retry: { attempts: 12, baseDelayMs: 5, maxDelayMs: 50 },
    ledger: costs,
  });
  const evaluation = await evaluate({
    program: answerer,
    examples: townQuestions(examples),
    metric: tokenF1({ answer: "answer", golds: "answers" }),
    lm,
    concurrency: 32,
  });
  const { rows, seconds: _, ...figures } = evaluation;
  return {
    /** All but times. */
    result: {
      ...figures,
      rows: rows.map(({ exampleId, score, output }) => ({ exampleId, score, output })),
    },
    counts: evaluation.counts,
    report: server.calls(),
    ledger: costs.snapshot(),
  };
}

/** With 30 % of calls failing in every way a server can, the result is the one without faults. */
export async function expectFaultsToChangeNothing(
  examples: number,
  stallTimeoutMs: number,
): Promise<void> {
  const clean = await evaluateUnderFaults({ examples, stallTimeoutMs: 60_000, faults: {} });
  const faults = { stall: 0.075, rateLimit: 0.075, serverError: 0.075, brokenEnvelope: 0.075 };
  const faulty = await evaluateUnderFaults({ examples, stallTimeoutMs, faults });
  expect(faulty.result).toEqual(clean.result);
  expect(faulty.counts).toMatchObject({ scored: examples, unscored: 0, formatFailures: 0 });
  const { total, byFault } = faulty.report;
  const failed = Object.values(byFault).reduce((sum, count) => sum + count, 0);
  // That faults really happened, in about the share asked for, and each kind of them.
  expect(failed / total).toBeGreaterThan(0.2);
  expect(failed / total).toBeLessThan(0.4);
  expect(Object.keys(byFault)).toEqual(
    expect.arrayContaining([
      "stall",
      "rate-limit",
      "server-error",
      "connection-reset",
      "html-page",
    ]),
  );
  // Logical calls are those of the clean run; what failed and was repeated costs no logical call.
  expect(faulty.ledger.total.logical.calls).toBe(clean.ledger.total.logical.calls);
  // A busy machine may make a sound call look stalled, which is asked for again as well.
  expect(total - failed).toBeGreaterThanOrEqual(clean.report.total);
}
