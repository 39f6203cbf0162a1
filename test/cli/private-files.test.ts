import { lstat, readdir } from "node:fs/promises";
import { statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { serveRehearsal } from "@espalier/rehearsal";
import { diskCache } from "espalier/lm";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fixture = (name: string): string => resolve(import.meta.dirname, "fixtures", name);
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

it("keeps what may hold prompts or replies for its owner, and artifacts to be shared", async () => {
  await using server = await serveRehearsal();
  const lm = ["--lm", `${server.url}/v1`];
  const cwd = folder.path;
  const towns = fixture("towns.ts");
  const done = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await runMain(words, { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
  };
  await done("doctor", ...lm);
  const kept = ["--out", "results/a.json", "--artifact", "shared/a.json"];
  await done("eval", towns, "--limit", "2", ...lm, ...kept);
  await done("optimize", fixture("few-places.ts"), "--budget", "14", "--run", "runs/a", ...lm);
  await done("show", "runs/a", "--html", "pages/a.html");

  const seen = await modesBelow(cwd);
  const open = seen.filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path);
  const shared = ["shared", "shared/a.json", "runs/a/artifact.json"];
  expect(shared).toEqual(expect.arrayContaining(open));
  const made = [
    ".espalier/cache.sqlite",
    ".espalier/servers",
    "results/a.json",
    "runs/a/journal.jsonl",
    "runs/a/report.jsonl",
    "runs/a/command.json",
    "runs/a/reports.json",
    "pages/a.html",
    ...shared,
  ];
  expect(seen.map(({ path }) => path)).toEqual(expect.arrayContaining(made));
});

it("makes caches for their owner, with what SQLite puts beside them", async () => {
  const path = join(folder.path, "made", "cache.sqlite");
  await using cache = diskCache(path);
  expect(cache.size).toBe(0);
  const beside = ["", "-wal", "-shm"].map((end) => statSync(`${path}${end}`).mode & 0o777);
  expect(beside).toEqual([0o600, 0o600, 0o600]);
});

async function modesBelow(
  root: string,
): Promise<readonly { readonly path: string; readonly mode: number }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path: relative(root, path), mode: (await lstat(path)).mode };
    }),
  );
}
