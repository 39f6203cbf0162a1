import { chmodSync, closeSync, openSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openJsonlFile, replaceLines, wholeLines, withChecksum } from "../../src/storage/index.ts";
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
  expect(await readFile(path ?? "", "utf8")).toBe(
    `${withChecksum({ a: 1 })}\n${withChecksum({ a: 2 })}\n`,
  );
  expect(await readFile(other ?? "", "utf8")).toBe("");
});

describe("a file whose lines are replaced", () => {
  it("keeps its mode, and has all new lines", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "lines.jsonl");
    writeFileSync(path, "", { mode: 0o640 });
    chmodSync(path, 0o640);
    replaceLines(path, [{ a: 1 }, { a: 2 }]);
    expect(wholeLines(path).values).toEqual([{ a: 1 }, { a: 2 }]);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder.path)).toEqual(["lines.jsonl"]);
  });

  it("is as it was where that fails, without a temporary file", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "lines.jsonl");
    replaceable(path);
    const failing = function* (): Generator<object> {
      yield { a: 2 };
      throw new Error("No more.");
    };
    expect(() => replaceLines(path, failing())).toThrow("No more.");
    expect(wholeLines(path).values).toEqual([{ a: 1 }]);
    expect(readdirSync(folder.path)).toEqual(["lines.jsonl"]);
  });
});

function replaceable(path: string): void {
  const file = openJsonlFile(path);
  file.append({ a: 1 });
  file.close();
}
