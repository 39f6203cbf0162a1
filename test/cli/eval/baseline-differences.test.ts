import { join } from "node:path";
import { expect, test } from "vitest";
import { baselineDifferences } from "../../../src/cli/eval/baseline.ts";
import { readEvaluation } from "../../../src/cli/eval/evaluation-file.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

test("a trainset that was renamed is the same data, and one with other rows is not", async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, "result.json");
  await runMain(["eval", "test/cli/fixtures/towns.ts", "--split", "val", "--out", out]);
  const file = await readEvaluation(out);
  const { checksum, version, name } = file.trainset;
  const renamed = { ...file, trainset: { name: "hamlets", version, checksum } };
  expect(baselineDifferences(file, renamed)).toEqual([]);
  const other = { ...file, trainset: { name: "hamlets", version, checksum: "0".repeat(64) } };
  expect(baselineDifferences(file, other)).toEqual([
    `trainset ${name} ${checksum.slice(0, 12)} instead of trainset hamlets 000000000000`,
  ]);
});
