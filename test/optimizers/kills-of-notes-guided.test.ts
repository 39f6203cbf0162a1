import { test } from "vitest";
import { expectKillsToChangeNothing } from "../optimizer/support/kill-and-resume.ts";

test("killed twice and resumed, notes-guided gives the same artifact and asks nothing twice", async () => {
  await expectKillsToChangeNothing({
    study: "test/cli/fixtures/small-notes-guided.ts",
    budget: 60,
    runs: 1,
    killsPerRun: 2,
    seed: 3,
  });
});
