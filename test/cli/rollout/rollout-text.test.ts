import type { RolloutReport } from "espalier/serve";
import { expect, test } from "vitest";
import { rolloutText } from "../../../src/cli/rollout/rollout-text.ts";

const report: RolloutReport = {
  model: "towns",
  baseline: "declared",
  candidate: "3f2a3f2a3f2a",
  since: "",
  canary: 0,
  shadow: 0,
  alpha: 0.03,
  tolerance: 0.05,
  keyShare: 0.5,
  status: "ended",
  startedAt: new Date("2030-01-01T00:00:00Z"),
  endedAt: new Date("2030-01-02T00:00:00Z"),
  why: null,
  findings: {
    baseline: { keys: 3, meanScore: 1 / 3 },
    candidate: { keys: 2, meanScore: 0.25 },
    apiKeys: 3,
    waiting: 4,
    isDecidable: true,
    comparisons: 2,
    worse: 33.2,
    better: 0.9,
    isShownWorse: true,
    isShownBetter: false,
  },
};

test("a rollout without a share says none, and figures come with the digits that matter", () => {
  expect(rolloutText([report])).toBe(`towns@3f2a3f2a3f2a against declared
  ended since 2030-01-01T00:00:00.000Z until 2030-01-02T00:00:00.000Z
  candidate  mean score 0.250 of 2 keys, difference -0.083
  baseline   mean score 0.333 of 3 keys
  API keys   3 seen; each counts for at most 50 % of the scores; 4 scores beyond that do not count yet; the evidence holds without any one key
  evidence   worse 33.2, better 0.900 after 2 comparisons; threshold 33.3 (alpha 0.03, tolerance 0.05): shown worse`);
});

test("a rollout that one API key cannot decide says so, and one without a bound as well", () => {
  const alone = { ...report, findings: { ...report.findings, apiKeys: 1, isDecidable: false } };
  expect(rolloutText([alone])).toContain(
    "so one key alone decides nothing: wait for requests with another key, or withdraw the candidate and promote it again with one key",
  );
  expect(rolloutText([{ ...alone, keyShare: 1 }])).toContain(
    "1 seen; their shares are not limited",
  );
});
