import type { JsonObject } from "../../contract/index.ts";
import type { ProtocolAdapter } from "../protocol/protocol-adapter.ts";
import type { CanaryReport } from "../canary/canary-report.ts";

/** `GET /v1/rollouts`: candidates on trial and their state, oldest first. */
export function canaryRoutes(reports: () => Promise<readonly CanaryReport[]>): ProtocolAdapter {
  return {
    mount: (app) => {
      app.get("/v1/rollouts", async (c) => {
        const data = (await reports()).map(canaryJson);
        return c.json({ object: "list", data });
      });
    },
  };
}

/** The machine-readable form of a report. */
export function canaryJson({ findings, startedAt, endedAt, ...report }: CanaryReport): JsonObject {
  const { model, baseline, candidate, status, canary, shadow, alpha, tolerance, why } = report;
  const { apiKeys, waiting } = findings;
  return {
    model,
    baseline,
    candidate,
    status,
    why,
    canary,
    shadow,
    alpha,
    tolerance,
    key_share: report.keyShare,
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    keys: { baseline: findings.baseline.keys, candidate: findings.candidate.keys },
    api_keys: apiKeys,
    keys_beyond_share: waiting,
    is_decidable: findings.isDecidable,
    mean_score: {
      baseline: findings.baseline.meanScore,
      candidate: findings.candidate.meanScore,
    },
    comparisons: findings.comparisons,
    evidence: { worse: findings.worse, better: findings.better, decides: 1 / alpha },
    is_shown_worse: findings.isShownWorse,
    is_shown_better: findings.isShownBetter,
  };
}
