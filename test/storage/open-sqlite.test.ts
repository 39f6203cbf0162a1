import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openFeedback, openServeState } from "espalier/serve";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

test("a file of another kind, program or version is refused, and left as it is to the byte", async () => {
  await using folder = await temporaryFolder();
  const path = (name: string): string => join(folder.path, name);
  await writeFile(path("text"), "no database at all, whatever its name says");
  using other = new DatabaseSync(path("other"));
  other.exec("CREATE TABLE things (name TEXT)");
  openFeedback({ path: path("feedback"), isMade: true })[Symbol.dispose]();
  openServeState(path("newer"))[Symbol.dispose]();
  const newer = new DatabaseSync(path("newer"));
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  for (const name of ["text", "other", "feedback", "newer"]) {
    const before = await readFile(path(name));
    const error = await thrownBy(async () => openServeState(path(name)));
    expect(error.code).toBe("serve-state-unusable");
    expect(error.message).toContain(path(name));
    expect((await readFile(path(name))).equals(before)).toBe(true);
  }
});

test("a file that is not to be made is missing, with the command that makes one", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "state.sqlite");
  const error = await thrownBy(async () => openServeState(path, { isMade: false }));
  expect(error.code).toBe("file-missing");
  expect(error.message).toContain("espalier serve");
});
