import { describe, expect, it } from "vitest";
import type { Demonstration, Example, TraceNode } from "espalier";
import { textOfContent } from "espalier";
import type { JudgedRun, Optimizer, Rollout } from "espalier/optimizer";
import { bootstrapFewShot, miproV2, optimize } from "espalier/optimizer";
import { fixedDemonstrations, shownRuns } from "../../../src/optimizer/demonstrations/index.ts";
import { kindsStudy } from "../few-shot/support/kinds.ts";
import { writingKindsLm } from "../few-shot/support/writing-kinds-lm.ts";

const demonstration = (exampleId: string, cluster?: string): Demonstration => ({
  exampleId,
  ...(cluster !== undefined && { cluster }),
  inputs: { asked: exampleId },
  outputs: { said: exampleId },
});

describe("what a run showed", () => {
  const all = [demonstration("a"), demonstration("b", "pair"), demonstration("c")].map((one) => ({
    predictor: "answer",
    demonstration: one,
  }));
  const ran = (exampleId: string, score: Rollout["score"]): Rollout =>
    ({ exampleId, score }) as unknown as Rollout;
  const shownOn = (exampleId: string, cluster?: string): readonly string[] =>
    shownRuns([ran(exampleId, { kind: "scored", value: 1 })], all, {
      clusterOf: () => cluster,
    }).flatMap(({ shown }) => shown.map((one) => one.demonstration.exampleId));

  it("is neither of its own example nor of its cluster", () => {
    expect(shownOn("a")).toEqual(["b", "c"]);
    expect(shownOn("d", "pair")).toEqual(["a", "c"]);
    // Without a cluster, an example is one of its own.
    expect(shownOn("d", "c")).toEqual(["a", "b"]);
    expect(shownOn("d", "other")).toEqual(["a", "b", "c"]);
  });

  it("counts only where the run was scored", () => {
    const failure = { kind: "infrastructure", code: "lm-unreachable", message: "" } as const;
    const runs = [ran("d", { kind: "unscored", failure }), ran("d", { kind: "not-applicable" })];
    expect(shownRuns(runs, all, {})).toEqual([]);
  });

  it("is not known of what calls choose, and is of the rest", () => {
    const fixed = { kind: "demos", path: "read", value: [demonstration("a")] } as const;
    const chosen = { ...fixed, path: "answer", nearest: { k: 1, by: "words" } } as const;
    expect(fixedDemonstrations([fixed, chosen])).toEqual([
      { predictor: "read", demonstration: fixed.value[0] },
    ]);
  });
});

type Row = Example<{ readonly question: string }, { readonly right: string }>;

describe.each<[string, Optimizer, string]>([
  ["bootstrapFewShot()", bootstrapFewShot({ trials: 30 }), "val"],
  ["miproV2()", miproV2({ budget: { metricCalls: 200, reflectionCalls: 30 } }), "val"],
])("credits of %s", (_, optimizer, split) => {
  const { splits } = kindsStudy.trainset;
  const grouped = (rows: readonly Row[]): readonly Row[] =>
    rows.map((row) => ({ ...row, cluster: `talk-${Number(row.id.slice(1)) % 10}` }));
  it.each<[string, Partial<typeof splits>]>([
    ["train and val differ", {}],
    ["train selects, too", { val: splits.train }],
    ["train and val share clusters", { train: grouped(splits.train), val: grouped(splits.val) }],
  ])("count the runs whose prompts showed a demonstration, where %s", async (_, changed) => {
    const trainset = { ...kindsStudy.trainset, splits: { ...splits, ...changed } };
    const judged: JudgedRun[] = [];
    const { credits = [] } = await optimize(
      { ...kindsStudy, trainset },
      { optimizer, lm: writingKindsLm, onRun: (run) => void judged.push(run) },
    );
    expect(credits.length).toBeGreaterThan(0);
    const known = judged.filter((run) => run.isOwn && run.split.startsWith(split));
    for (const { predictor, exampleId, runs } of credits) {
      const shown = known.filter(({ trace }) => showsIn(trace.children, predictor, exampleId));
      expect(runs).toBe(shown.length);
    }
  });
});

/** Whether a predictor's prompt shows the question of another example. */
function showsIn(nodes: readonly TraceNode[], of: string, exampleId: string): boolean {
  return nodes.some(
    (node) =>
      node.kind === "predictor" &&
      node.predictor === of &&
      node.calls.some(({ messages }) =>
        messages
          .slice(0, -1)
          .some(({ content }) => textOfContent(content).includes(`number ${exampleId.slice(1)}?`)),
      ),
  );
}
