import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { openJsonlFile } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("drops what is appended to a closed file, also when its descriptor is another file's", async () => {
  await using folder = await temporaryFolder();
  const [path, other] = ["lines.jsonl", "other.txt"].map((name) => join(folder.path, name));
  const file = openJsonlFile(path ?? "");
  file.append({ a: 1 });
  file.appendSoon({ a: 2 });
  file.close();
  // Takes the lowest free descriptor: the one just closed.
  const foreign = openSync(other ?? "", "a");
  file.append({ a: 3 });
  file.appendSoon({ a: 4 });
  file.flush();
  await setImmediate();
  await file.sync();
  file.close();
  closeSync(foreign);
  expect(await readFile(path ?? "", "utf8")).toBe('{"a":1}\n{"a":2}\n');
  expect(await readFile(other ?? "", "utf8")).toBe("");
});
