import { describe, expect, it } from "vitest";
import type { CandidateRecord, TextTask } from "espalier/optimizer";
import { customProposer, gepa, optimizeTexts, planOptimization } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { placeStudy } from "./support/place-search.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import { gepaWith } from "./support/gepa-with.ts";

/** A score that the number of the run moves, by an amount that is known. */
function noisyTask(onRun: (exampleId: string, repetition: number) => void): TextTask<number> {
  const examples = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`e${index}`, index]),
  );
  return {
    name: "noisy",
    version: "1",
    texts: { answer: "x" },
    train: Object.fromEntries(Object.entries(examples).map(([id, index]) => [`t-${id}`, index])),
    val: examples,
    evaluate: ({ answer = "" }, index, { exampleId, repetition }) => {
      onRun(exampleId, repetition);
      const score = Math.min(0.9, answer.length / 20 + index / 100 + repetition / 10);
      return {
        score,
        feedback: `run ${repetition}: longer`,
        objectives: { brevity: -answer.length },
      };
    },
  };
}

describe("with several repetitions a score is the mean of so many runs", () => {
  it("each a metric call, under the same cap", async () => {
    const runs: string[] = [];
    const feedback: string[] = [];
    const proposer = customProposer("longer", ({ component, cases }) => {
      feedback.push(...cases.map((one) => one.feedback));
      return `${component.value}x`;
    });
    const result = await optimizeTexts(
      noisyTask((id, repetition) => runs.push(`${id}/${repetition}`)),
      { optimizer: gepaWith({ proposer }), budget: { metricCalls: 100 }, repetitions: 3 },
    );
    const seed = result.candidates[0] as CandidateRecord;
    for (const [id, score] of Object.entries(seed.selection.scores)) {
      // 1/20, the example's own part, and the mean of 0, 0.1 and 0.2.
      expect(score).toBeCloseTo(0.05 + Number(id.slice(1)) / 100 + 0.1, 12);
    }
    expect(seed.selection.objectives).toEqual({ brevity: -1 });
    expect(runs.filter((run) => run.startsWith("e0/")).slice(0, 3)).toEqual([
      "e0/0",
      "e0/1",
      "e0/2",
    ]);
    expect(result.spent.metricCalls).toBe(runs.length);
    expect(runs.length).toBeLessThanOrEqual(100);
    expect(runs.length % 3).toBe(0);
    expect(result.candidates.length).toBeGreaterThan(1);
    // What the lowest run was told is what teaches.
    expect(feedback.length).toBeGreaterThan(0);
    for (const said of feedback) expect(said).toMatch(/run 0: longer$/);
    const [, ...children] = result.candidates;
    for (const { metricCallsBefore } of children) expect(metricCallsBefore % 3).toBe(0);
  });

  it("of a program too, with seeds of their own, and costs are for one run", async () => {
    const seeds = new Set<number | null | undefined>();
    const lm = rehearsalLm();
    const { result, seen } = await runPlaces({
      repetitions: 2,
      budget: { metricCalls: 60 },
      lm: {
        identity: lm.identity,
        doGenerate: (request, options) => {
          seeds.add(request.seed);
          return lm.doGenerate(request, options);
        },
      },
    });
    expect(result.spent.metricCalls).toBe(seen.rollouts);
    expect(seen.rollouts).toBeLessThanOrEqual(60);
    // Two calls a run, and two runs: twice as many seeds as calls of the seed on val alone.
    expect(seeds.size).toBeGreaterThanOrEqual(2 * 2 * 14);
    const once = (await runPlaces({ budget: { metricCalls: 20 } })).result.candidates[0];
    expect(result.candidates[0]?.selection).toEqual(once?.selection);
  });

  it("at any concurrency, and when resumed", async () => {
    await using folder = await temporaryFolder();
    const options = { repetitions: 2, budget: { metricCalls: 90 } };
    const first = await runPlaces({ ...options, runFolder: folder.path, concurrency: 1 });
    const wide = await runPlaces({ ...options, concurrency: 32 });
    expect(compiledPart(wide)).toEqual(compiledPart(first));
    const again = await runPlaces({ ...options, runFolder: folder.path, resume: true });
    expect(again.seen).toEqual({ calls: 0, rollouts: 0 });
    expect(compiledPart(again)).toEqual(compiledPart(first));
    const { repetitions: _repetitions, ...single } = options;
    const error = await thrownBy(() =>
      runPlaces({ ...single, runFolder: folder.path, resume: true }),
    );
    expect(error.message).toContain("`repetitions` (--search-repeats) was 2 and is 1");
  });

  it("is planned for, and refused where it makes no sense", async () => {
    const optimizer = gepa();
    const [one, two] = [1, 2].map((repetitions) =>
      planOptimization(placeStudy, {
        optimizer,
        budget: { metricCalls: 200 * repetitions },
        repetitions,
      }),
    );
    expect(two?.proposals).toEqual(one?.proposals);
    expect(two?.seedEvaluation).toBe(2 * (one?.seedEvaluation ?? 0));
    expect(two?.calls?.student).toBe(2 * (one?.calls?.student ?? 0));
    const refused = (repetitions: number, metricCalls: number) =>
      thrownBy(() => runPlaces({ repetitions, budget: { metricCalls } }));
    expect((await refused(0, 100)).code).toBe("option-invalid");
    expect((await refused(2, 27)).message).toContain("at least 28, 2 for each of 14 examples");
  });
});
