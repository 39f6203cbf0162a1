import { readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import { afterAll, describe, expect, it } from "vitest";
import type { SourceGiven } from "espalier/report";
import { compareRuns, flipsOf, readRunHistory, replayRollouts } from "espalier/report";
import { placeStudy } from "../optimizer/support/place-search.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { decisionsIn } from "../support/journal.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

async function optimized(optimizer: string, seed: number, budget = 120): Promise<SourceGiven> {
  const path = join(folder.path, `${optimizer}-${seed}-${budget}`);
  const { code, stderr } = await runMain([
    "optimize",
    "test/cli/fixtures/places.ts",
    "--optimizer",
    optimizer,
    "--budget",
    String(budget),
    "--seed",
    String(seed),
    "--run",
    path,
  ]);
  if (code !== 0) throw new Error(stderr);
  return { kind: "run", path, history: readRunHistory(path) };
}

const given = [
  await optimized("gepa", 1),
  await optimized("gepa", 2),
  await optimized("bootstrap-few-shot", 1),
  await optimized("bootstrap-few-shot", 2),
];
/** Examples in two groups, which the fixture's labels do not make. */
const { trainset } = placeStudy;
const halved = <TExample extends object>(examples: readonly TExample[]) =>
  examples.map((example, index) => ({
    ...example,
    labels: { half: index % 2 === 0 ? "even" : "odd" },
  }));
const { train, val, test } = trainset.splits;
const labelled = { ...trainset, splits: { train, val: halved(val), test: halved(test) } };
const comparison = compareRuns(given, { trainset: labelled, resamples: 200 });
/** As runs are that have not ended, or whose reports hold no scores of single examples. */
const unreported = compareRuns(
  given.map((one) =>
    one.kind === "run"
      ? { ...one, history: { ...one.history, reported: { figures: {}, scores: {} } } }
      : one,
  ),
  { trainset: labelled, resamples: 200 },
);

const headline = comparison.headline ?? expect.fail("no headline");
const [run] = comparison.sources;
if (run?.kind !== "run") throw new Error("no run");
const best = run.candidates[run.best ?? -1] ?? expect.fail("no best");

type Recount = Record<"seed" | "best", Record<string, number | null>>;

/**
 * Scores of the seed and the best: on val counted from the lines of the journal alone, on test read
 * from the log of reports.
 */
function recount(path: string, split: "val" | "test" = "val"): Recount {
  const events = decisionsIn(path)
    .split("\n")
    .map((line) => JSON.parse(line));
  const scores: Record<string, number | null>[] = [];
  for (const event of events) {
    if (event.kind === "candidate-accepted")
      scores[event.candidate] = event.record.selection.scores;
    if (event.kind === "candidate-confirmed") scores[event.candidate] = event.selection.scores;
  }
  const end = events.find(({ kind }) => kind === "run-end");
  if (split === "test") {
    const { scores: onTest } = JSON.parse(readFileSync(join(path, "reports.json"), "utf8"));
    return { seed: onTest[0], best: onTest[end.best] };
  }
  return { seed: scores[0] ?? {}, best: scores[end.best] ?? {} };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe("compareRuns", () => {
  it("puts runs that differ only in their seed into one group", () => {
    expect(comparison.groups.map(({ name, seeds }) => [name, seeds])).toEqual([
      ["gepa", [1, 2]],
      ["bootstrap-few-shot", [1, 2]],
    ]);
  });

  it.each([
    ["test", comparison],
    ["val", unreported],
  ] as const)(
    "finds the flips, the difference and the strata on %s that a recount finds",
    (split, compared) => {
      const [contrast] = compared.contrasts;
      if (contrast === undefined) throw new Error("no contrast");
      expect(contrast).toMatchObject({ kind: "seed", split, isSelected: split === "val" });
      const counts = given.slice(0, 2).map(({ path }) => recount(path, split));
      const examples = trainset.splits[split];
      const ids = examples.map(({ id }) => id);
      const meanOf = (id: string, side: "seed" | "best"): number =>
        mean(counts.map((count) => count[side][id] ?? Number.NaN));
      const flipped = ids.filter((id) => meanOf(id, "seed") !== meanOf(id, "best"));
      expect(flipped.length).toBeGreaterThan(0);

      const flips = flipsOf(compared, contrast);
      const idOf = (index: number): string => compared.examples[index]?.id ?? "";
      expect(flips.map(({ example }) => idOf(example)).toSorted()).toEqual(flipped.toSorted());
      const differences = ids.map((id) => meanOf(id, "best") - meanOf(id, "seed"));
      expect(contrast.difference).toBeCloseTo(mean(differences), 12);
      expect(contrast.better).toBe(differences.filter((difference) => difference > 0).length);

      for (const [group, parity] of [
        ["even", 0],
        ["odd", 1],
      ] as const) {
        const members = examples.filter((_, index) => index % 2 === parity);
        const expected = mean(members.map(({ id }) => meanOf(id, "best") - meanOf(id, "seed")));
        const stratum = contrast.strata.find((one) => one.group === group);
        expect(stratum?.difference).toBeCloseTo(expected, 12);
        expect(stratum?.examples).toBe(members.length);
      }
    },
  );

  it("says what won, by how much and at what cost, and that a mock answered", () => {
    const { winner, split, value, difference, metricCalls, sentence } = headline;
    expect(winner.members.map(({ source }) => source)).toEqual(["gepa-1-120", "gepa-2-120"]);
    // The searches chose by val.
    expect(split).toBe("test");
    const bests = given.map(({ path }) => {
      const scored = Object.values(recount(path, "test").best).filter((score) => score !== null);
      return mean(scored);
    });
    expect(value).toBeCloseTo(mean(bests.slice(0, 2)), 12);
    expect(difference).toBeCloseTo(mean(bests.slice(0, 2)) - mean(bests.slice(2)), 12);
    expect(metricCalls).toBeGreaterThan(0);
    const group = comparison.contrasts.find(({ kind }) => kind === "group");
    expect(group?.overSeeds?.values).toEqual(
      [0, 1].map((seed) => (bests[seed + 2] ?? 0) - (bests[seed] ?? 0)),
    );
    expect(sentence).toContain("say nothing about a real model");
  });

  it("draws the score of each candidate where it was evaluated, also before it had a number", () => {
    for (const { id, scores } of run.candidates) {
      const values = (scores.val?.values ?? []).filter((value) => value !== null);
      const drawn = run.curve.filter(({ split, candidate }) => split === "val" && candidate === id);
      expect(drawn.map(({ value }) => value)).toContainEqual(expect.closeTo(mean(values), 12));
    }
    const refused = run.curve.filter(({ candidate }) => candidate === null);
    expect(refused.length).toBeGreaterThan(0);
  });

  it("says which further metric a report on test found worse, and no other", () => {
    const [one] = given;
    if (one?.kind !== "run") throw new Error("no run");
    const { figures, scores } = one.history.reported;
    const reported = {
      scores,
      figures: Object.fromEntries(
        Object.entries(figures).map(([id, [objective]]) => {
          if (!objective?.comparison) throw new Error("no figure");
          const { comparison } = objective;
          const further = (metric: string, verdict: "worse" | "undecided") => ({
            ...objective,
            metric,
            optimized: { ...objective.optimized, value: 0.5 },
            comparison: { ...comparison, difference: -0.25, verdict },
          });
          return [id, [objective, further("urgency", "worse"), further("tone", "undecided")]];
        }),
      ),
    };
    const found = compareRuns([{ ...one, history: { ...one.history, reported } }]).headline;
    expect(found?.fell).toEqual([{ metric: "urgency", value: 0.5, difference: -0.25 }]);
    expect(found?.sentence).toContain("Lower on test: urgency from 0.750 to 0.500.");
    expect(headline.fell).toBeUndefined();
  });

  it("says of three groups which two the headline compares", async () => {
    const third = await optimized("bootstrap-few-shot", 1, 60);
    const [one, two, few] = given;
    const sources = [one, two, few].flatMap((source) => source ?? []);
    const first = compareRuns([...sources, third], { resamples: 0 }).headline;
    expect(first?.among).toEqual({ count: 3, against: "the next highest" });
    expect(first?.sentence).toMatch(
      /^On test, gepa \(2 seeds\) .* \(the next highest of 3\): 0\.\d{3} against 0\.\d{3} found-place\./,
    );
    const last = compareRuns([third, ...sources], { resamples: 0 }).headline;
    expect(last?.among).toEqual({ count: 3, against: "the first one given" });
    expect(last?.baseline.members).toEqual([{ source: "bootstrap-few-shot-1-60", candidate: 0 }]);
    expect(headline.among).toBeUndefined();
  });

  it.each(["val", "test"] as const)(
    "repeats every rollout of %s from recorded replies, with the recorded score and the prompts",
    async (split) => {
      const [first] = given;
      if (first?.kind !== "run") return;
      const { path, history } = first;
      const exampleIds = trainset.splits[split].map(({ id }) => id);
      for (const candidate of [0, best.id]) {
        const replayed = await replayRollouts(placeStudy, {
          folder: path,
          history,
          source: run.key,
          candidate,
          split,
          exampleIds,
          placeOf: (id) => exampleIds.indexOf(id),
        });
        const scores = recount(path, split)[candidate === 0 ? "seed" : "best"];
        expect(replayed.map(({ value }) => value ?? null)).toEqual(
          exampleIds.map((id) => scores[id]),
        );
        expect(replayed.map(({ missing }) => missing ?? null)).toEqual(exampleIds.map(() => null));
        const trace = replayed[0]?.trace;
        const [node] = trace?.children ?? [];
        expect(node?.kind === "predictor" && node.calls[0]?.messages.length).toBeGreaterThan(0);
      }
    },
  );

  it("asks the server nothing when it replays a run that asked one", async () => {
    await using server = await serveRehearsal();
    const path = join(folder.path, "asked");
    const { code, stderr } = await runMain([
      "optimize",
      "test/cli/fixtures/places.ts",
      ..."--optimizer gepa --budget 60 --run".split(" "),
      path,
      "--lm",
      `${server.url}/v1`,
    ]);
    if (code !== 0) throw new Error(stderr);
    const asked = server.calls().total;
    expect(asked).toBeGreaterThan(0);
    const words = ["compare", path, "--study", "test/cli/fixtures/places.ts", "--replay", "5"];
    const { stdout } = await runMain([...words, "--json"]);
    const { rollouts } = JSON.parse(stdout);
    expect(rollouts.length).toBeGreaterThan(0);
    for (const { missing } of rollouts) expect(missing).toBeUndefined();
    expect(server.calls().total - asked).toBe(0);
  });

  it("says where a reply is missing, since no LM is asked", async () => {
    const [first] = given;
    if (first?.kind !== "run") return;
    const { path, history } = first;
    const other = join(folder.path, "without-replies");
    await cp(path, other, { recursive: true });
    const lines = readFileSync(join(path, "journal.jsonl"), "utf8").split("\n");
    await writeFile(
      join(other, "journal.jsonl"),
      lines.filter((line) => !line.startsWith('{"kind":"reply"')).join("\n"),
    );
    const id = trainset.splits.val[0]?.id ?? "";
    const replayed = await replayRollouts(placeStudy, {
      folder: other,
      history,
      source: run.key,
      candidate: 0,
      split: "val",
      exampleIds: [id],
      placeOf: () => 0,
    });
    expect(replayed).toMatchObject([{ missing: "A reply that this run needs is not recorded." }]);
  });

  it("survives JSON unchanged", () => {
    expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
  });

  it("refuses nothing to compare, and a trainset of other data", () => {
    expect(() => compareRuns([])).toThrow("There is nothing to compare");
    expect(() =>
      compareRuns(given, { trainset: { ...trainset, checksum: "0".repeat(64) } }),
    ).toThrow("differs from the one that a source used");
  });
});
