import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkStopFile } from "../../../src/cli/optimize/resuming.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

test.each([
  ["a new run", false, "Remove it, or name another folder."],
  ["a run that is resumed", true, "Remove it to resume the run."],
])("a stop file refuses %s, and says what to do", async (_what, isResumed, fix) => {
  await using folder = await temporaryFolder();
  const run = folder.path;
  await writeFile(join(run, "stop"), "");
  const resume = isResumed ? run : undefined;
  const error = await thrownBy(() => checkStopFile({ resume, choose: undefined }, run));
  expect(error).toMatchObject({ code: "usage-invalid", report: { fix } });
});
