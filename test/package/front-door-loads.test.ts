import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { loadedModules, watchedModules } from "../support/loaded-modules.ts";

test("a file with one signature loads nothing that reaches a model, evaluates or serves", async () => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", resolve("signatures/answer-directly.ts")],
    { env: { ...process.env, ...watchedModules } },
  );
  const { packages, folders } = loadedModules(stderr);
  expect(folders.toSorted()).toEqual([
    "ax",
    "contract",
    "errors",
    "internal",
    "program",
    "signature",
    "study",
  ]);
  for (const heavy of ["openai", "hono", "p-queue"]) expect(packages).not.toContain(heavy);
});
