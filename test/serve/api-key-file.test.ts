import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiKeyFile, apiKeys, newApiKey } from "espalier/serve";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const [alice, bob] = [newApiKey("alice"), newApiKey("bob")];
const bearer = ({ key }: { readonly key: string }): string => `Bearer ${key}`;

async function fileOf(...lines: readonly string[]) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "keys");
  const write = (...now: readonly string[]) => writeFile(path, `${now.join("\n")}\n`);
  await write(...lines);
  return { path, write, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("a key is out as soon as its line is gone, and in as soon as there is one", async () => {
  await using file = await fileOf(alice.line);
  const keys = apiKeyFile(file.path);
  expect(keys.nameOf(bearer(alice))).toBe("alice");
  expect(() => keys.nameOf(bearer(bob))).toThrow("not valid for this server");
  await file.write(bob.line);
  expect(() => keys.nameOf(bearer(alice))).toThrow("not valid for this server");
  expect(keys.nameOf(bearer(bob))).toBe("bob");
  await writeFile(`${file.path}.new`, alice.line);
  await rename(`${file.path}.new`, file.path);
  expect(keys.nameOf(bearer(alice))).toBe("alice");
  expect(keys.names).toEqual(["alice"]);
});

test("a file that cannot be used changes nothing, and is told of once", async () => {
  await using file = await fileOf(alice.line, bob.line);
  const keys = apiKeyFile(file.path, { intervalMs: 10 });
  const faults: unknown[] = [];
  const changes: (readonly string[])[] = [];
  using _ = keys.watch?.({
    onFault: (error) => faults.push((error as { readonly code: string }).code),
    onChanged: ({ revoked }) => changes.push(revoked),
  });
  await file.write(bob.line, "alice hunter2");
  await vi.waitFor(() => expect(faults).toEqual(["file-malformed"]), 60_000);
  expect(keys.nameOf(bearer(alice))).toBe("alice");
  await rm(file.path);
  await vi.waitFor(() => expect(faults).toEqual(["file-malformed", "file-missing"]), 60_000);
  expect(keys.nameOf(bearer(alice))).toBe("alice");
  expect(changes).toEqual([]);
  await file.write(bob.line);
  await vi.waitFor(() => expect(changes).toEqual([["alice"]]), 60_000);
  expect(faults).toHaveLength(2);
});

test("a name whose key is replaced is revoked, and one that keeps a key is not", async () => {
  const [other, third] = [newApiKey("alice"), newApiKey("alice")];
  await using file = await fileOf(alice.line, bob.line);
  const keys = apiKeyFile(file.path);
  const changes: (readonly string[])[] = [];
  using _ = keys.watch?.({
    onFault: () => undefined,
    onChanged: ({ revoked }) => changes.push(revoked),
  });
  for (const line of [`${alice.line}\n${other.line}`, other.line, third.line]) {
    await file.write(line, bob.line);
    expect(keys.nameOf(bearer(bob))).toBe("bob");
  }
  expect(changes).toEqual([[], [], ["alice"]]);
});

test("what stands behind a key is refused without being shown", async () => {
  const error = await thrownBy(() => apiKeys(`${alice.line} hunter2 # hers`, "keys"));
  expect(error.code).toBe("file-malformed");
  expect(String(error)).toContain("keys, line 1");
  expect(String(error)).not.toContain("hunter2");
});
