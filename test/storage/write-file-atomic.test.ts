import { mkdtemp, readdir, readFile, rm, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFileAtomic } from "../../src/storage/index.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("an atomic write", () => {
  it("makes missing folders and leaves nothing but the file", async () => {
    await writeFileAtomic(join(folder, "deep", "er", "file.json"), "{}");
    expect(await readdir(join(folder, "deep", "er"))).toEqual(["file.json"]);
    expect(await readFile(join(folder, "deep", "er", "file.json"), "utf8")).toBe("{}");
  });

  it("leaves the old content and no temporary file when it fails", async () => {
    const path = join(folder, "taken");
    await mkdir(path);
    await writeFileAtomic(join(path, "inside"), "kept");
    await expect(writeFileAtomic(path, "new")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(folder)).toEqual(["taken"]);
    expect(await readFile(join(path, "inside"), "utf8")).toBe("kept");
  });

  it("never shows a half-written file to a reader", async () => {
    const path = join(folder, "file");
    const texts = ["a".repeat(200_000), "b".repeat(100_000)];
    await writeFileAtomic(path, texts[0] ?? "");
    const seen = new Set<string>();
    let writing = true;
    const reading = (async () => {
      while (writing) seen.add(await readFile(path, "utf8"));
    })();
    for (let turn = 0; turn < 30; turn++) await writeFileAtomic(path, texts[turn % 2] ?? "");
    writing = false;
    await reading;
    expect([...seen].every((text) => texts.includes(text))).toBe(true);
  });
});
