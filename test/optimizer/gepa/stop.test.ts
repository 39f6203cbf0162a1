import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizeOptions, Stopper } from "espalier/optimizer";
import {
  allOf,
  anyOf,
  costReached,
  fileExists,
  lmCallsReached,
  metricCallsReached,
  noImprovement,
  scoreReached,
  stopSignal,
  tokensReached,
  wallTimePassed,
} from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import type { PlacesRun } from "../support/run-places.ts";
import { compiledPart, runPlaces } from "../support/run-places.ts";
import { gepaWith } from "../support/gepa-with.ts";

const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
const prices = { student: price, reflection: price };

const runUntil = (stop: Stopper, options: Partial<OptimizeOptions> = {}): Promise<PlacesRun> =>
  runPlaces({ optimizer: gepaWith({ stop: [stop] }), budget: { metricCalls: 150 }, ...options });

/** What was spent, in the unit, when each iteration began. */
function atIterationStarts(
  { events }: PlacesRun,
  unit: "metricCalls" | "lmCalls" | "tokens",
): readonly number[] {
  let spent = 0;
  return events.flatMap((event) => {
    if (event.kind === "budget-spent") spent = event[unit];
    return event.kind === "iteration-start" ? [spent] : [];
  });
}

describe("a stopper by count ends the run at the first iteration that would begin with so much", () => {
  it.each([
    ["metricCalls", 40, metricCallsReached(40)],
    ["lmCalls", 90, lmCallsReached(90)],
    ["tokens", 50_000, tokensReached(50_000)],
  ] as const)("%s", async (unit, limit, stop) => {
    const run = await runUntil(stop);
    expect(run.result.reason).toBe("stopper");
    expect(run.result.spent[unit]).toBeGreaterThanOrEqual(limit);
    expect(Math.max(...atIterationStarts(run, unit))).toBeLessThan(limit);
    expect(run.result.detail).toBe(`${stop.name}: ${run.result.spent[unit]} of ${limit}`);
  });
});

describe("a stopper looks between iterations:", () => {
  it("scoreReached ends the run with the first candidate so good", async () => {
    const { result } = await runUntil(scoreReached(0.6));
    expect(result.reason).toBe("stopper");
    expect(result.best.selection.value).toBeGreaterThanOrEqual(0.6);
    const before = result.candidates.filter(({ iteration }) => iteration < result.best.iteration);
    expect(before.every(({ selection }) => selection.value < 0.6)).toBe(true);
    expect(result.detail).toContain(`candidate ${result.best.id} has `);
  });

  it("noImprovement ends the run so many iterations after the best", async () => {
    const { result, events } = await runUntil(noImprovement({ iterations: 2 }));
    expect(result.reason).toBe("stopper");
    const begun = events.filter(({ kind }) => kind === "iteration-start").length;
    expect(begun - result.best.iteration).toBe(2);
  });

  it("costReached ends it by what was billed, and needs prices", async () => {
    const { result } = await runUntil(costReached(0.06), { prices });
    expect(result.reason).toBe("stopper");
    expect(result.costUsd).toBeGreaterThanOrEqual(0.06);
    const { candidates, spent } = (await runPlaces({ budget: { metricCalls: 150 }, prices }))
      .result;
    expect(result.spent.metricCalls).toBeLessThan(spent.metricCalls);
    expect(result.candidates).toEqual(candidates.slice(0, result.candidates.length));
    const error = await thrownBy(() => runUntil(costReached(0.06)));
    expect(error.code).toBe("option-invalid");
  });

  it("wallTimePassed ends it by the run's clock", async () => {
    // A clock that a rollout moves by one second.
    let now = 0;
    const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) };
    const { result } = await runUntil(wallTimePassed(40_000), {
      clock,
      onEvent: ({ kind }) => {
        if (kind === "progress") now += 1000;
      },
    });
    expect(result.reason).toBe("stopper");
    expect(result.spent.metricCalls).toBeGreaterThanOrEqual(40);
    expect(result.spent.metricCalls).toBeLessThan(80);
  });

  it("fileExists ends it, and leaves the file", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "gepa.stop");
    const whole = (await runUntil(fileExists(path))).result;
    expect(whole.reason).not.toBe("stopper");
    await writeFile(path, "");
    const { result } = await runUntil(fileExists(path));
    expect(result).toMatchObject({ reason: "stopper", detail: `file: ${path} exists` });
    expect(result.candidates).toEqual(whole.candidates.slice(0, 1));
    expect(existsSync(path)).toBe(true);
  });

  it("stopSignal ends it after the iteration, with a result, where an abort has none", async () => {
    const controller = new AbortController();
    const { result, events } = await runUntil(stopSignal(controller.signal), {
      onEvent: (event) => {
        if (event.kind === "candidate-proposed") controller.abort();
      },
    });
    expect(result).toMatchObject({ reason: "stopper", detail: "signal: the signal was aborted" });
    expect(events.slice(-2).map(({ kind }) => kind)).toEqual(["iteration-end", "run-end"]);
    expect(events.filter(({ kind }) => kind === "iteration-start")).toHaveLength(1);
  });
});

describe("stoppers combined", () => {
  it("anyOf ends with the first, allOf with the last of them", async () => {
    const [few, many] = [metricCallsReached(40), lmCallsReached(200)];
    const [first, last] = [await runUntil(anyOf(few, many)), await runUntil(allOf(few, many))];
    expect(first.result.detail).toMatch(/^any-of: metric-calls: \d+ of 40$/);
    expect(last.result.detail).toMatch(
      /^all-of: metric-calls: \d+ of 40, and lm-calls: \d+ of 200$/,
    );
    expect(first.result.spent.lmCalls).toBeLessThan(200);
    expect(last.result.spent.lmCalls).toBeGreaterThanOrEqual(200);
  });

  it("look outside when one of them does", () => {
    expect(anyOf(scoreReached(1), fileExists("x")).looksOutside).toBe(true);
    expect(allOf(scoreReached(1), noImprovement({ iterations: 3 })).looksOutside).toBe(false);
  });

  it.each<[string, () => Stopper]>([
    ["nothing to combine", () => anyOf()],
    ["a limit that is none", () => metricCallsReached(0)],
    ["a time that is none", () => wallTimePassed(Number.NaN)],
    ["no iteration", () => noImprovement({ iterations: 0.5 })],
  ])("refuse %s", async (_, make) => {
    expect((await thrownBy(make)).code).toBe("option-invalid");
  });
});

describe("without a budget", () => {
  const never = new AbortController().signal;
  const [count, score] = [metricCallsReached(40), scoreReached(2)];
  const without = (stop: Stopper): Promise<PlacesRun> =>
    runPlaces({ optimizer: gepaWith({ stop: [stop] }), budget: {} });

  it.each<[string, Stopper]>([
    ["a score, which may never be reached", score],
    ["a file, which may never be", fileExists("never")],
    ["a signal", stopSignal(never)],
    ["all of a count and a score", allOf(count, score)],
    ["any of a file and a score", anyOf(fileExists("never"), score)],
    ["one of one's own that does not say so", { name: "own", stop: () => null }],
  ])("a run that ends by %s is refused", async (_, stop) => {
    const error = await thrownBy(() => without(stop));
    expect(error.code).toBe("option-invalid");
    expect(error.message).toContain("A run needs a budget");
  });

  it.each<[string, Stopper]>([
    ["a count", count],
    ["any of a count and a score", anyOf(score, count)],
    ["all of two counts", allOf(count, lmCallsReached(50))],
    ["iterations without a better one", noImprovement({ iterations: 2 })],
  ])("a run that ends by %s ends", async (_, stop) => {
    expect((await without(stop)).result.reason).toBe("stopper");
  });
});

describe("a resumed run ends where it ended", () => {
  it("although the file is gone, the signal is fresh, and the money was spent at once", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "gepa.stop");
    const runFolder = join(folder.path, "run");
    const optimizer = (signal: AbortSignal) =>
      gepaWith({ stop: [anyOf(fileExists(path), stopSignal(signal), costReached(5))] });
    const controller = new AbortController();
    const budget = { metricCalls: 150 };
    const first = await runPlaces({
      optimizer: optimizer(controller.signal),
      budget,
      prices,
      runFolder,
      onEvent: (event) => {
        if (event.kind === "iteration-end" && event.iteration === 3) controller.abort();
      },
    });
    expect(first.result.reason).toBe("stopper");
    const again = await runPlaces({
      optimizer: optimizer(new AbortController().signal),
      budget,
      prices,
      runFolder,
      resume: true,
    });
    expect(again.seen).toEqual({ calls: 0, rollouts: 0 });
    expect(compiledPart(again)).toEqual(compiledPart(first));
    expect(again.result.detail).toBe(first.result.detail);
  });

  it("and repeats what was recorded before it looks outside again", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "gepa.stop");
    const runFolder = join(folder.path, "run");
    const optimizer = gepaWith({ stop: [fileExists(path)] });
    const budget = { metricCalls: 150 };
    const aborting = new AbortController();
    await thrownBy(() =>
      runPlaces({
        optimizer,
        budget,
        runFolder,
        signal: aborting.signal,
        onEvent: (event) => {
          if (event.kind === "iteration-start" && event.iteration === 3) aborting.abort();
        },
      }),
    );
    await writeFile(path, "");
    const { result, events } = await runPlaces({ optimizer, budget, runFolder, resume: true });
    // The file is there from the start of this process, but iterations 1 and 2 were begun without
    // it.
    expect(result.reason).toBe("stopper");
    expect(events.filter(({ kind }) => kind === "iteration-start").length).toBeGreaterThanOrEqual(
      2,
    );
  });

  it("also where a cap on time or money ended it", async () => {
    await using folder = await temporaryFolder();
    const options = { budget: { costUsd: 0.08 }, prices, runFolder: folder.path };
    const first = await runPlaces(options);
    const again = await runPlaces({ ...options, resume: true });
    expect(again.seen).toEqual({ calls: 0, rollouts: 0 });
    expect(again.result.candidates).toEqual(first.result.candidates);
    expect(again.events).toEqual(first.events);
  });

  it("wherever its files were cut between calls, with a cap on money and a stopper that looks outside", async () => {
    await using folder = await temporaryFolder();
    const options = {
      optimizer: gepaWith({ stop: [costReached(0.08)] }),
      budget: { costUsd: 0.2 },
      prices,
    };
    const whole = await runPlaces({ ...options, runFolder: join(folder.path, "whole") });
    expect(whole.result.reason).toBe("stopper");
    const [journal, work] = await Promise.all(
      ["journal.jsonl", "work.jsonl"].map((name) => readFile(join(folder.path, "whole", name))),
    );
    for (const share of [0.1, 0.35, 0.6, 0.85, 0.99]) {
      const runFolder = join(folder.path, `cut-${share}`);
      await mkdir(runFolder);
      // The journal never knows more than the log: it is cut back further.
      const cut = work?.subarray(0, work.length * share).toString() ?? "";
      await writeFile(join(runFolder, "work.jsonl"), withoutCallsInFlight(cut));
      await writeFile(
        join(runFolder, "journal.jsonl"),
        journal?.subarray(0, journal.length * share * 0.8) ?? "",
      );
      const resumed = await runPlaces({ ...options, runFolder, resume: true });
      expect(compiledPart(resumed)).toEqual(compiledPart(whole));
      expect(await readFile(join(runFolder, "journal.jsonl"))).toEqual(journal);
    }
  });
});

/** Calls in flight at a kill are charged, so that a run bounded by money ends earlier for them. */
function withoutCallsInFlight(work: string): string {
  const lines = work.split("\n");
  const torn = lines.pop() ?? "";
  const keyOf = (line: string, kinds: readonly string[]): string => {
    const { kind, key = "" } = JSON.parse(line) as { kind: string; key?: string };
    return kinds.includes(kind) ? key : "";
  };
  const ended = new Set(lines.map((line) => keyOf(line, ["reply", "failed"])));
  const kept = lines.filter((line) => ended.has(keyOf(line, ["sent"])));
  return [...kept, torn].join("\n");
}
