import { test } from "vitest";
import { expectKillsToChangeNothing } from "../optimizer/support/kill-and-resume.ts";

test("killed at twenty random moments, in two runs, and resumed, notes-guided gives the same artifacts", async () => {
  await expectKillsToChangeNothing({
    study: "optimizers/notes-guided.ts",
    options: ["--rehearsal"],
    budget: 350,
    runs: 2,
    killsPerRun: 10,
    seed: 4,
  });
});
