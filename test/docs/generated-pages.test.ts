import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { errorTable } from "../../scripts/docs/error-table.ts";
import { withLayerTable } from "../../scripts/docs/layer-table.ts";

const page = (path: string) => readFileSync(resolve(import.meta.dirname, "../..", path), "utf8");

test("docs/errors.md is the table of error codes (npm run docs:errors)", () => {
  expect(page("docs/errors.md")).toBe(errorTable());
});

test("AGENTS.md holds the table of layers (npm run docs:layers)", () => {
  expect(page("AGENTS.md")).toBe(withLayerTable(page("AGENTS.md")));
});
