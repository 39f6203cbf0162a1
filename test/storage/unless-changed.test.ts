import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { fileStamp, unlessChanged } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function settled(path: string): Promise<void> {
  while (fileStamp(path)?.isSettled === false) await delay(10);
}

test("a file is read again when it was written over, replaced, or touched, and only then", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a");
  const again = unlessChanged<string>();
  let reads = 0;
  const read = () =>
    again(path, () => {
      reads += 1;
      return readFile(path, "utf8");
    });
  await writeFile(path, "one");
  await settled(path);
  expect([await read(), await read(), await read()]).toEqual(["one", "one", "one"]);
  expect(reads).toBe(1);

  await writeFile(path, "two");
  expect(await read()).toBe("two");
  await writeFile(`${path}.new`, "six");
  await rename(`${path}.new`, path);
  expect(await read()).toBe("six");
  await settled(path);
  await read();
  const before = reads;
  await read();
  expect(reads).toBe(before);
  await utimes(path, 1, 1);
  await read();
  expect(reads).toBe(before + 1);

  await rm(path);
  await expect(read()).rejects.toMatchObject({ code: "ENOENT" });
});

test("what was written a moment ago is read again, since the same tick may bring another content", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a");
  const again = unlessChanged<string>();
  for (let round = 0; round < 200; round += 1) {
    const text = String(round % 10);
    await writeFile(path, text);
    expect(await again(path, () => readFile(path, "utf8"))).toBe(text);
  }
});

test("a failed read is not kept, and nothing is read where there is nothing", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a");
  await mkdir(path);
  await settled(path);
  const again = unlessChanged("nothing");
  await expect(again(path, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await again(path, () => Promise.resolve("mended"))).toBe("mended");
  const other = join(folder.path, "b");
  expect(await again(other, () => Promise.reject(new Error("read")))).toBe("nothing");
});
