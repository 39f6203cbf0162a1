import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { optimizeCommand } from "./optimize-command.ts";
import { outageTable } from "./outage-table.ts";

const failure = { kind: "infrastructure", code: "lm-unreachable", message: "No server." };

test.each([
  [
    "rollout",
    { kind: "rollout", step: 1, rollout: { exampleId: "a", score: { kind: "unscored", failure } } },
  ],
  ["failed-reflection", { kind: "failed-reflection", step: 1, failure }],
  ["failed", { kind: "failed", key: "a", failure }],
])("finds a fault of the server in the lines `%s` of a run", async (kind, line) => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, "run"));
  const lines = [{ sequence: 0, kind: "run-start" }, line].map((each) => JSON.stringify(each));
  await writeFile(join(folder.path, "run/journal.jsonl"), `${lines.join("\n")}\n`);
  const { leftovers } = optimizeCommand({ study: "study.ts", budget: 1 });
  const undisturbed = { journal: "" };
  expect(await leftovers(folder.path, undisturbed, { gaveUp: false })).toEqual([
    "the journal has events that the undisturbed one lacks",
    `journal.jsonl has lines \`${kind}\` with a fault of the server: 1`,
  ]);
});

test("the table names what does not hold", () => {
  const row = {
    command: "optimize",
    patience: 10,
    killedAfter: 4_352,
    ofCalls: 5_975,
    awaySeconds: 301,
    went: "exit 0",
    same: ["artifact", "journal"],
    problems: [],
  };
  const wrong = { ...row, command: "eval", went: "exit 1", problems: ["ended with 1: No."] };
  expect(outageTable([row, wrong])).toMatchInlineSnapshot(`
    "command   patience  killed after        away   went    same as without
    optimize  10 min    4352 of 5975 calls  301 s  exit 0  artifact, journal
    eval      10 min    4352 of 5975 calls  301 s  exit 1  NO

    1 thing does not hold:
    eval, patience 10 min: ended with 1: No."
  `);
  expect(outageTable([row])).toContain("Everything holds.");
});
