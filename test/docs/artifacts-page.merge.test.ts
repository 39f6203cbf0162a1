import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { rehearsalLm } from "@espalier/rehearsal";
import type { LanguageModel } from "espalier";
import { readArtifact } from "espalier/artifact";
import type { ReportOnTest } from "espalier/report";
import { afterAll, expect, it } from "vitest";
import { placeStudy } from "../optimizer/support/place-search.ts";

const repository = resolve(import.meta.dirname, "../..");
// Inside of the repository, so that the package name means this tree.
const folder = mkdtempSync(join(repository, ".tmp-artifacts-page-"));
const before = process.cwd();
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

interface Page {
  optimized(study: unknown, lm: LanguageModel, metricCalls: number): Promise<ReportOnTest>;
  asked(program: unknown, input: unknown, lm: LanguageModel): Promise<unknown>;
}

it("the code of the page on artifacts saves what it optimized, and asks it", async () => {
  const page = readFileSync(join(repository, "docs/guide/artifacts.md"), "utf8");
  const [, code = ""] = /<!-- file: artifact-in-code[.]ts -->\s*```ts\n([^]*?)```/.exec(page) ?? [];
  const path = join(folder, "artifact-in-code.ts");
  writeFileSync(path, code);
  const { optimized, asked } = (await import(path)) as Page;
  process.chdir(folder);
  const lm = rehearsalLm();
  const { figures } = await optimized(placeStudy, lm, 60);
  const { compiled } = await readArtifact("runs/first/artifact.json");
  expect(compiled.scores[0]).toMatchObject({ split: "test", value: figures[0]?.optimized.value });
  const [example] = placeStudy.trainset.splits.test;
  const output = await asked(placeStudy.program, example?.input, lm);
  expect(output).toMatchObject({ found: expect.any(String) as string });
});
