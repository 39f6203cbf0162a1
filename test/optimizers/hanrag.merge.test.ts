import { afterEach, describe, expect, test, vi } from "vitest";
import { evaluate } from "espalier/evaluate";
import type { OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import { gepa, optimize, planOptimization } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import declareHanrag from "../../optimizers/hanrag.ts";
import { questionRoutes } from "../../signatures/index.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";
import { sharedData } from "../support/shared-data.ts";

const hanrag = await declareHanrag(rehearsalParts());
const multiHop = sharedData("multihop");

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the study of HANRAG", () => {
  test("has questions of all four kinds in every split, and a budget for several proposals", () => {
    for (const split of Object.values(hanrag.trainset.splits)) {
      const kinds = new Set(split.map(({ labels }) => (labels as { route: string }).route));
      expect([...kinds].toSorted()).toEqual([...questionRoutes].toSorted());
    }
    const { optimizer } = hanrag;
    if (optimizer === undefined) throw new Error("no optimizer");
    const plan = planOptimization(hanrag, { optimizer, budget: optimizer.budget ?? {} });
    expect(plan.warnings).toEqual([]);
  });

  test("shows every needed passage by its text", async () => {
    const trace = { path: "", children: [] } as never;
    const output = { answer: "", route: "complex" as const, steps: 0, solved: [], passages: [] };
    const missing = [];
    for (const example of Object.values(hanrag.trainset.splits).flat()) {
      const score = await hanrag.objective.doScore({ example, output, trace });
      if (score.kind === "scored") missing.push(...linesWithoutText(score.feedback ?? ""));
    }
    expect(missing).toEqual([]);
  });

  test("reports F1 with steps, accuracy and exact match beside it", async () => {
    const { counts, objectives } = await evaluate({
      program: hanrag.program,
      examples: hanrag.trainset.splits.val.slice(0, 6),
      metric: hanrag.objective,
      lm: rehearsalLm(),
      resamples: 0,
    });
    expect(counts).toMatchObject({ scored: 6, unscored: 0 });
    expect(Object.keys(objectives).toSorted()).toEqual([
      "accuracy",
      "exact_match",
      "negated_steps",
    ]);
    expect(objectives["negated_steps"]).toBeLessThanOrEqual(0);
  });

  test("takes the right route in the variant with routes, and else does not read it", async () => {
    const oracle = await hanrag.variants?.["four-shelves-oracle"]?.();
    if (oracle === undefined) throw new Error("no variant with routes");
    const rowsOf = async (program: typeof oracle.program) => {
      const examples = oracle.trainset.splits.val;
      const metric = oracle.objective;
      return (await evaluate({ program, examples, metric, lm: rehearsalLm(), resamples: 0 })).rows;
    };
    const right = oracle.trainset.splits.val.map(
      ({ labels }) => (labels as { route: string }).route,
    );
    const taken = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
      rows.map(({ output }) => (output as { route: string }).route);
    expect(taken(await rowsOf(oracle.program))).toEqual(right);
    expect(taken(await rowsOf(hanrag.program))).not.toEqual(right);
  });

  test("gives the route of each question as gold, which then is the one that is taken", async () => {
    const gold = hanrag.gold?.["routeQuestion"];
    if (gold === undefined) throw new Error("no gold");
    for (const example of hanrag.trainset.splits.train) {
      const { route } = example.labels as { readonly route: string };
      const part = gold(example);
      expect(part).toEqual({ outputs: { route } });
      const output = await hanrag.program.run(example.input, {
        lm: rehearsalLm(),
        ...(part !== null && { gold: { routeQuestion: part } }),
      });
      expect(output).toMatchObject({ route });
    }
  });

  test("gives the parts of a compound question as gold, and of no other", () => {
    const gold = hanrag.gold?.["decomposeQuestion"];
    const questions = hanrag.trainset.splits.train.map((example) => {
      const labels = example.labels as {
        readonly route: string;
        readonly decomposition: readonly { readonly question: string }[];
      };
      const subQuestions = labels.decomposition.map(({ question }) => question);
      expect(gold?.(example)).toEqual(
        labels.route === "compound" ? { outputs: { subQuestions } } : null,
      );
      return subQuestions;
    });
    expect(questions.some((parts) => parts.length > 1)).toBe(true);
  });

  test("runs failing questions again with the right route during a search", async () => {
    const events: (OptimizerEvent | OptimizerProgress)[] = [];
    await optimize(hanrag, {
      optimizer: gepa({ budget: { metricCalls: 160 } }),
      lm: rehearsalLm(),
      onEvent: (event) => void events.push(event),
    });
    const replays = events.filter((event) => event.kind === "gold-replayed");
    const routed = replays.filter(({ predictor }) => predictor === "routeQuestion");
    expect(routed.length).toBeGreaterThan(0);
    const inTrain = new Set(hanrag.trainset.splits.train.map(({ id }) => id));
    expect(routed.every(({ exampleId }) => inTrain.has(exampleId))).toBe(true);
  });

  test.skipIf(multiHop.isAbsent)(`runs on MuSiQue${multiHop.note}`, async () => {
    vi.stubEnv("ESPALIER_MULTIHOP_DIR", multiHop.file);
    const made = await hanrag.variants?.["musique"]?.();
    expect(made?.trainset.splits.test).toHaveLength(100);
  });
});

/** Lines of the list of passages that hold an id alone. */
function linesWithoutText(feedback: string): readonly string[] {
  return feedback.split("\n").filter((line) => /^- \S+$/.test(line));
}
