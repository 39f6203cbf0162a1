import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readInput } from "../../../src/cli/arguments/read-input.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

it("An input file is read, and one beyond the limit is refused before it fills the memory", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "input.json");
  await writeFile(path, '{"question":"Où?"}');
  expect(await readInput(`@${path}`)).toEqual({ question: "Où?" });
  await truncate(path, 65 * 2 ** 20);
  const { code, message } = await thrownBy(() => readInput(`@${path}`));
  expect(code).toBe("file-missing");
  expect(message).toContain("Got: It is larger than 64 MiB.");
});
