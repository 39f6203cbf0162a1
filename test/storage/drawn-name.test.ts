import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { drawnName } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const named = { format: "tested/1", whose: "on tested servers" };

it("a run's name is drawn once, whoever asks first, and goes with its folder", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "run", "name.json");
  const names = await Promise.all(Array.from({ length: 20 }, () => drawnName(path, named)));
  expect(new Set(names).size).toBe(1);
  const moved = join(folder.path, "moved", "name.json");
  await mkdir(join(folder.path, "moved"));
  await cp(path, moved);
  expect(await drawnName(moved, named)).toBe(names[0]);
  expect(await drawnName(join(folder.path, "another", "name.json"), named)).not.toBe(names[0]);
});

it.each([
  "",
  "{bad",
  "null",
  '{"format":"tested/2","key":"0123"}',
  '{"format":"tested/1","key":"../../other"}',
  '{"format":"tested/1","key":{"__proto__":1}}',
])("a name that nobody drew is refused, and left alone: %s", async (content) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "name.json");
  await writeFile(path, content);
  const error = await thrownBy(() => drawnName(path, named));
  expect(error.code).toBe("file-malformed");
  expect(error.message).toContain(path);
  expect(await readFile(path, "utf8")).toBe(content);
});
