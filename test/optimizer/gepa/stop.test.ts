import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizeOptions, Stopper, StopView } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import type { PlacesRun } from "../support/run-places.ts";
import { compiledPart, runPlaces } from "../support/run-places.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { decisionsIn } from "../../support/journal.ts";

const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
const prices = { student: price, reflection: price };

const runUntil = (stop: Stopper, options: Partial<OptimizeOptions> = {}): Promise<PlacesRun> =>
  runPlaces({ optimizer: gepaWith({ stop: [stop] }), budget: { metricCalls: 150 }, ...options });

/** A stopper that looks at what the run decides alone. */
const ifReached = (name: string, limit: number, amount: (view: StopView) => number): Stopper => ({
  name,
  settings: { limit },
  endsByItself: true,
  stop: (view) => (amount(view) >= limit ? `${amount(view)} of ${limit}` : null),
});

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
    ["metricCalls", 40],
    ["lmCalls", 90],
    ["tokens", 50_000],
  ] as const)("%s", async (unit, limit) => {
    const stop = ifReached("count", limit, ({ spent }) => spent[unit]);
    const run = await runUntil(stop);
    expect(run.result.reason).toBe("stopper");
    expect(run.result.spent[unit]).toBeGreaterThanOrEqual(limit);
    expect(Math.max(...atIterationStarts(run, unit))).toBeLessThan(limit);
    expect(run.result.detail).toBe(`${stop.name}: ${run.result.spent[unit]} of ${limit}`);
  });
});

describe("a stopper looks between iterations:", () => {
  it("shows the best candidate and the iterations", async () => {
    const seen: Pick<StopView, "best" | "iterations">[] = [];
    const { result, events } = await runUntil({
      name: "noting",
      stop: ({ best, iterations }) => {
        seen.push({ best, iterations });
        return null;
      },
    });
    const begun = events.filter(({ kind }) => kind === "iteration-start").length;
    expect(seen.map(({ iterations }) => iterations)).toEqual(
      Array.from({ length: begun }, (_, number) => number),
    );
    for (const { best } of seen) {
      const held = result.candidates[best.id];
      expect(best.components).toEqual(held?.components);
    }
  });
});

describe("without a budget", () => {
  const without = (stop: Stopper): Promise<PlacesRun> =>
    runPlaces({ optimizer: gepaWith({ stop: [stop] }), budget: {} });

  it("a run is refused whose stopper may never end it", async () => {
    const error = await thrownBy(() => without({ name: "own", stop: () => null }));
    expect(error.code).toBe("option-invalid");
    expect(error.message).toContain("A run needs a budget");
  });

  it("a run ends whose stopper ends it by itself", async () => {
    const { result } = await without(ifReached("count", 40, ({ spent }) => spent.metricCalls));
    expect(result.reason).toBe("stopper");
  });
});

describe("a resumed run ends where it ended", () => {
  it("where a cap on money ended it", async () => {
    await using folder = await temporaryFolder();
    const options = { budget: { costUsd: 0.08 }, prices, runFolder: folder.path };
    const first = await runPlaces(options);
    const again = await runPlaces({ ...options, resume: true });
    expect(again.seen).toEqual({ calls: 0, rollouts: 0 });
    expect(again.result.candidates).toEqual(first.result.candidates);
    expect(again.events).toEqual(first.events);
  });

  it("wherever its journal was cut between calls, under a cap on money", async () => {
    await using folder = await temporaryFolder();
    const options = { optimizer: gepaWith({}), budget: { costUsd: 0.08 }, prices };
    const whole = await runPlaces({ ...options, runFolder: join(folder.path, "whole") });
    expect(whole.result.reason).toBe("budget");
    const journal = await readFile(join(folder.path, "whole", "journal.jsonl"));
    for (const share of [0.1, 0.35, 0.6, 0.85, 0.99]) {
      const runFolder = join(folder.path, `cut-${share}`);
      await mkdir(runFolder);
      const cut = journal.subarray(0, journal.length * share).toString();
      await writeFile(join(runFolder, "journal.jsonl"), withoutCallsInFlight(cut));
      const resumed = await runPlaces({ ...options, runFolder, resume: true });
      expect(compiledPart(resumed)).toEqual(compiledPart(whole));
      expect(decisionsIn(runFolder)).toBe(decisionsIn(join(folder.path, "whole")));
    }
  });
});

/** Calls in flight at a kill are charged, so that a run bounded by money ends earlier for them. */
function withoutCallsInFlight(journal: string): string {
  const lines = journal.split("\n");
  const torn = lines.pop() ?? "";
  const keyOf = (line: string, kinds: readonly string[]): string => {
    const { kind, key = "" } = JSON.parse(line) as { kind: string; key?: string };
    return kinds.includes(kind) ? key : "";
  };
  const ended = new Set(lines.map((line) => keyOf(line, ["reply", "failed"])));
  const kept = lines.filter((line) => ended.has(keyOf(line, ["sent"])));
  return [...kept, torn].join("\n");
}
