import { resolve } from "node:path";
import { expect, test } from "vitest";
import { fourShelvesQuestions } from "../../trainsets/four-shelves/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { checkOutages, outageCommands } from "./check-outages.ts";

test("an outage changes no result, whether patience outlasts it or not, and serve says who is away", async () => {
  const { splits } = await fourShelvesQuestions();
  await using folder = await temporaryFolder();
  const rows = await checkOutages(Object.keys(outageCommands), {
    folder: folder.path,
    outageMs: 3_000,
    longPatience: 10,
    shortPatience: 0.005,
    servePatience: 0.005,
    seed: 1,
    latencyMs: 20,
    study: resolve("test/cli/fixtures/places.ts"),
    budget: 80,
    questions: splits.test.slice(0, 16).map(({ input }) => input.question),
  });
  expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
  expect(rows.map(({ command, went, same }) => [command, went, same.length])).toEqual([
    ["optimize", "exit 0", 5],
    ["optimize", "exit 3, resumed: exit 0", 5],
    ["eval", "exit 0", 2],
    ["eval", "exit 3, resumed: exit 0", 2],
    ["batch", "exit 0", 1],
    ["batch", "exit 3, resumed: exit 0", 1],
    ["serve", expect.stringContaining("refused"), 1],
  ]);
});
