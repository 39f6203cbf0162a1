import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

it("signatures, trainsets, programs and files work with the oldest zod too", () => {
  const { ESPALIER_TIERS: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config=test/zod-least/vitest.config.ts",
      "test/zod-least/version",
      "test/signature",
      "test/trainset/trainset",
      "test/trainset/read-jsonl",
      "test/servers/parts",
      "test/program/program.test",
      "test/artifact/round-trip",
    ],
    { cwd: repository, env, encoding: "utf8" },
  );
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toMatch(/Tests .*passed/);
});
