import { expect, test } from "vitest";
import type { Rollout } from "../../../src/optimizer/evaluation/index.ts";
import { summarizeRollouts } from "../../../src/optimizer/evaluation/index.ts";

function rollout(exampleId: string, score: Rollout["score"]): Rollout {
  const usage = { calls: 0, promptTokens: 0, completionTokens: 0 };
  return { exampleId, score, ran: [], usage, worst: 0 };
}

test("hands further objectives to the aggregate, and none where a rollout has none", () => {
  const rollouts = [
    rollout("a", { kind: "scored", value: 1, objectives: { b: 2 } }),
    rollout("c", { kind: "scored", value: 3 }),
    rollout("d", { kind: "not-applicable" }),
  ];
  const seen: unknown[] = [];
  const aggregate = (_: unknown, scored: readonly unknown[]): number => seen.push(...scored);
  const { value } = summarizeRollouts(rollouts, "val", aggregate);
  expect(value).toBe(2);
  expect(seen).toEqual([
    { exampleId: "a", value: 1, objectives: { b: 2 } },
    { exampleId: "c", value: 3 },
  ]);
});
