import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFileWithin, readFileWithinSync, writeFileAtomic } from "../../src/storage/index.ts";
import { makePrivateFile } from "../../src/storage/private-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("a file that may hold prompts", () => {
  it("is for its owner only, and so are the folders that are made for it", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "made", "result.json");
    await writeFileAtomic(path, "{}");
    makePrivateFile(join(folder.path, "other", "cache.sqlite"));
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(join(folder.path, "made"))).toBe(0o700);
    expect(modeOf(join(folder.path, "other", "cache.sqlite"))).toBe(0o600);
    expect(modeOf(join(folder.path, "other"))).toBe(0o700);
  });

  it("is as the umask says where it is made to be shared", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "made", "artifact.json");
    await writeFileAtomic(path, "{}", { isShared: true });
    expect(modeOf(path)).toBe(0o666 & ~process.umask());
    expect(modeOf(join(folder.path, "made"))).toBe(0o777 & ~process.umask());
  });

  it("keeps content and mode where it exists", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "cache.sqlite");
    writeFileSync(path, "held", { mode: 0o644 });
    makePrivateFile(path);
    expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["held", 0o644]);
  });
});

describe("an atomic write", () => {
  it("replaces a link and leaves what it names, and follows no link to a temporary file", async () => {
    await using folder = await temporaryFolder();
    const [victim, path] = [join(folder.path, "victim"), join(folder.path, "file")];
    writeFileSync(victim, "precious");
    symlinkSync(victim, path);
    symlinkSync(victim, `${path}.${process.pid}.tmp`);
    await writeFileAtomic(path, "new");
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(lstatSync(path).isSymbolicLink()).toBe(false);
    expect(readFileSync(path, "utf8")).toBe("new");
  });
});

describe("a file that is read whole", () => {
  it("is a file of a limited length", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "file");
    writeFileSync(path, "12345");
    await mkdir(join(folder.path, "folder"));
    expect(await readFileWithin(path, 5)).toBe("12345");
    expect(readFileWithinSync(path, 5)).toBe("12345");
    await expect(readFileWithin(path, 4)).rejects.toThrow("it has 5 bytes; the limit is 4");
    expect(() => readFileWithinSync(path, 4)).toThrow("it has 5 bytes; the limit is 4");
    await expect(readFileWithin(join(folder.path, "folder"), 5)).rejects.toThrow("it is a folder");
    await expect(readFileWithin("/dev/zero", 5)).rejects.toThrow("it is not a regular file");
  });
});
