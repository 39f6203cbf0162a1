import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizeOptions } from "espalier/optimizer";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import type { PlacesRun } from "./support/run-places.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import type { Search } from "./support/searches.ts";
import { searches } from "./support/searches.ts";

/** Runs a search whose outside stop answers as told. */
function run(
  { studyOf, budget }: Search,
  stop: () => string | null,
  options: Partial<OptimizeOptions> = {},
): Promise<PlacesRun> {
  const { optimizer, ...study } = studyOf();
  const stopping = optimizer.withStop?.({ name: "test", stop });
  if (stopping === undefined) throw new Error("The search takes no stop.");
  return runPlaces({ optimizer: stopping, budget, ...options }, study);
}

const never = (): null => null;

/** A stop whose n-th answer, and all later ones, ends the search. */
function stopAt(nth: number): () => string | null {
  let asked = 0;
  return () => (++asked >= nth ? "enough" : null);
}

/** What the seam does for every search is shown by these two; that all ask it, by each. */
const whole = searches.filter(([name]) => name === "gepa()" || name === "parameterSearch()");

describe.each(whole)("%s with an outside stop", (_, search) => {
  it("is the same search where nothing stops it", async () => {
    const { optimizer, ...study } = search.studyOf();
    const without = await runPlaces({ optimizer, budget: search.budget }, study);
    const { result } = await run(search, never);
    expect(result.candidates).toEqual(without.result.candidates);
    expect(result.reason).toBe(without.result.reason);
  });

  it("ends with its result, which its folder repeats", async () => {
    for (const nth of [1, 2]) {
      await using folder = await temporaryFolder();
      const options = { runFolder: folder.path };
      const stopped = await run(search, stopAt(nth), options);
      expect(stopped.result).toMatchObject({ reason: "stopper", detail: "test: enough" });
      const again = await run(search, never, { ...options, resume: true });
      expect(compiledPart(again)).toEqual(compiledPart(stopped));
      expect(again.seen.calls).toBe(0);
    }
  });

  it("goes on when it is reopened, as if it had not stopped", async () => {
    await using folder = await temporaryFolder();
    const [stopped, whole] = [join(folder.path, "stopped"), join(folder.path, "whole")];
    const undisturbed = await run(search, never, { runFolder: whole });
    await run(search, stopAt(2), { runFolder: stopped });
    const options = { runFolder: stopped, resume: true, reopen: true };
    const reopened = await run(search, never, options);
    expect(compiledPart(reopened)).toEqual(compiledPart(undisturbed));
    const [journal, expected] = await Promise.all(
      [stopped, whole].map((path) => readFile(join(path, "journal.jsonl"), "utf8")),
    );
    expect(journal).toBe(expected);
  });
});

describe.each(searches)("%s", (_, search) => {
  it("asks an outside stop at each step, and cannot be resumed without it", async () => {
    await using folder = await temporaryFolder();
    const options = { runFolder: folder.path, budget: search.budget };
    for (const nth of [2, 1]) {
      const { result } = await run(search, stopAt(nth), nth === 1 ? options : {});
      expect(result).toMatchObject({ reason: "stopper", detail: "test: enough" });
    }
    const { optimizer, ...study } = search.studyOf();
    const error = await thrownBy(() => runPlaces({ optimizer, ...options, resume: true }, study));
    expect(error.code).toBe("journal-mismatch");
    expect(error.message).toContain("settings");
  });
});
