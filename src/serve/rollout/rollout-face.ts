import type { JsonObject } from "../../contract/index.ts";
import type { Face } from "../http/serve-context.ts";
import type { RolloutReport } from "./rollout-report.ts";

/** `GET /v1/rollouts`: candidates on trial and how they stand, oldest first. */
export function rolloutFace(reports: () => Promise<readonly RolloutReport[]>): Face {
  return {
    mount: (app) => {
      app.get("/v1/rollouts", async (c) => {
        const data = (await reports()).map(rolloutJson);
        return c.json({ object: "list", data });
      });
    },
  };
}

/** As every machine reads it. */
export function rolloutJson({
  findings,
  startedAt,
  endedAt,
  ...report
}: RolloutReport): JsonObject {
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
