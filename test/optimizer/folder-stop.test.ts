import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizeOptions } from "espalier/optimizer";
import { readRun } from "espalier/optimizer";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { PlacesRun } from "./support/run-places.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";
import type { Search } from "./support/searches.ts";
import { searches } from "./support/searches.ts";
import { decisionsIn } from "../support/journal.ts";

function run(
  { studyOf, budget }: Search,
  options: Partial<OptimizeOptions> = {},
): Promise<PlacesRun> {
  const { optimizer, ...study } = studyOf();
  return runPlaces({ optimizer, budget, ...options }, study);
}

/** Makes the file `stop` once the seed was evaluated, before the search asks. */
function stopping(runFolder: string): Partial<OptimizeOptions> {
  return {
    runFolder,
    onEvent: ({ kind }) => {
      if (kind === "candidate-accepted") writeFileSync(join(runFolder, "stop"), "");
    },
  };
}

/** What the seam does for every search is shown by these two; that all ask, by each. */
const some = searches.filter(([name]) => name === "gepa()" || name === "parameterSearch()");

describe.each(some)("%s with a file `stop` in its folder", (_, search) => {
  it("ends with its result, goes on when it is reopened, and is then as if it had not stopped", async () => {
    await using folder = await temporaryFolder();
    const [stopped, whole] = [join(folder.path, "stopped"), join(folder.path, "whole")];
    const undisturbed = await run(search, { runFolder: whole });
    expect(readRun(whole).spent).toEqual(undisturbed.result.spent);
    const { result } = await run(search, stopping(stopped));
    expect(result).toMatchObject({
      reason: "stopper",
      detail: "stop-file: `stop` exists in the run's folder",
    });
    expect(readRun(stopped).end?.reason).toBe("stopper");

    // While it is only repeated, the file changes nothing, whether or not it is still there.
    const again = await run(search, { runFolder: stopped, resume: true });
    expect(again.result.reason).toBe("stopper");
    expect(again.seen.calls).toBe(0);

    rmSync(join(stopped, "stop"));
    const reopened = await run(search, { runFolder: stopped, resume: true, reopen: true });
    expect(compiledPart(reopened)).toEqual(compiledPart(undisturbed));
    expect(decisionsIn(stopped)).toBe(decisionsIn(whole));
    expect(readRun(stopped).end?.reason).toBe(undisturbed.result.reason);
  });
});

describe.each(searches)("%s", (_, search) => {
  it("asks whether to stop before its first step, and ends with a result", async () => {
    await using folder = await temporaryFolder();
    const { result } = await run(search, stopping(join(folder.path, "run")));
    expect(result).toMatchObject({
      reason: "stopper",
      detail: "stop-file: `stop` exists in the run's folder",
    });
    expect(result.spent.metricCalls).toBeLessThan(search.budget.metricCalls ?? 0);
  });
});
