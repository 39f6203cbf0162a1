import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";

const repository = resolve(import.meta.dirname, "../../..");
const shipped = readdirSync("optimizers/experiments").filter((name) => name.endsWith(".ts"));

test("--list prints file, title and source of each shipped experiment, one line each", async () => {
  const { code, stdout } = await runMain(["experiment", "--list"], { cwd: repository });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split("  ")[0])).toEqual(
    shipped.toSorted().map((name) => join("optimizers", "experiments", name)),
  );
  for (const line of lines) expect(line).toMatch(/^\S+ {2}\S.* \(.+\)$/);
});
