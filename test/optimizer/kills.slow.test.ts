import { it } from "vitest";
import { expectKillsToChangeNothing } from "./support/kill-and-resume.ts";

it("killed at a hundred random moments, in ten runs, and resumed, gives the same artifacts", async () => {
  await expectKillsToChangeNothing({ runs: 10, killsPerRun: 10, seed: 2 });
});
