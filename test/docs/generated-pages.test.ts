import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { shippedArtifacts, withArtifactTable } from "../../scripts/docs/artifact-table.ts";
import { cliReference } from "../../scripts/docs/cli-reference.ts";
import { errorTable } from "../../scripts/docs/error-table.ts";
import { withLayerTable } from "../../scripts/docs/layer-table.ts";

const page = (path: string) => readFileSync(resolve(import.meta.dirname, "../..", path), "utf8");

test("docs/errors.md is the table of error codes (npm run docs:errors)", () => {
  expect(page("docs/errors.md")).toBe(errorTable());
});

test("docs/reference/cli.md is written from the commands (npm run docs:cli)", async () => {
  expect(page("docs/reference/cli.md")).toBe(await cliReference());
});

test("AGENTS.md holds the table of layers (npm run docs:layers)", () => {
  expect(page("AGENTS.md")).toBe(withLayerTable(page("AGENTS.md")));
});

test("programs/README.md holds the figures of the shipped artifacts (npm run artifacts)", async () => {
  const artifacts = await shippedArtifacts(resolve(import.meta.dirname, "../../artifacts"));
  const now = page("programs/README.md");
  expect(now).toBe(withArtifactTable(now, artifacts));
});
