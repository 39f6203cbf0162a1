import { join } from "node:path";
import { readArtifact } from "espalier/artifact";
import type { ComparedArtifact, ComparedRun } from "espalier/report";
import { compareRuns, readRunHistory } from "espalier/report";
import { readRun } from "espalier/optimizer";
import { afterAll, expect, it } from "vitest";
import { valueText } from "../../../src/cli/terminal/search-text.ts";
import { runFigures } from "../../../src/studio/thread/answer-in-thread.ts";
import { opened } from "../../report-page/opened.ts";
import { chromiumPages, patience } from "../../serve/routes/page/chromium.ts";
import { studioOver } from "../../studio/studio-over.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const pages = chromiumPages();
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const jointly = "test/cli/fixtures/places-by-mipro.ts";
const begun = await runMain(["optimize", jointly, "--budget", "60", "--run", run]);
if (begun.code !== 0) throw new Error(begun.stderr);
const { candidates, best } = readRun(run);
const found = best ?? expect.fail("no best");
/** What a search by `miproV2()` expects, whatever a candidate was run on. */
const texts = candidates.map(({ selection }) => valueText(selection, candidates[0]));
const artifact = await readArtifact(join(run, "artifact.json"));
const comparison = compareRuns([
  { kind: "run", path: run, history: readRunHistory(run) },
  { kind: "artifact", path: join(run, "artifact.json"), artifact },
]);
const [compared, compiled] = comparison.sources as unknown as [ComparedRun, ComparedArtifact];

it("values of a search by `miproV2()` are called estimates by optimize, show and compare", async () => {
  expect(begun.stdout).toContain(`on val: ${texts[0]} before, ${texts[found.id]} after\n`);
  // As the search stood then.
  expect(begun.stderr).toMatch(
    /^before: found-place \d\.\d{4} \(estimate from \d+ examples of val\)$/m,
  );
  const { stdout } = await runMain(["show", run]);
  for (const text of texts) expect(stdout).toContain(`  ${text}`);
  expect(stdout).toContain("quality is an estimate\n* on the Pareto front");
  const row = new RegExp(`^run .* ${found.selection.value.toFixed(4)} +estimate `, "m");
  expect((await runMain(["compare", run])).stdout).toMatch(row);
});

it("and in the lineage of the artifact, and what is made of it and of the run", () => {
  const seen = candidates.map(({ selection }) => selection.seen);
  expect(artifact.compiled.lineage.map(({ valSeen }) => valSeen)).toEqual(seen);
  expect(compiled.lineage.map((one) => one.seen)).toEqual(seen);
  expect(comparison.notes).toContain(
    "The values of run on val are estimates, including in means over seeds.",
  );
  const { best: shown } = runFigures({ kind: "run", path: run, history: readRunHistory(run) });
  expect(shown).toMatchObject({ candidate: found.id, seen: found.selection.seen });
});

it("and on the page of a comparison", async () => {
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  const said = `estimated from ${found.selection.seen} examples`;
  const row = page.getByRole("row").filter({ hasText: compared.optimizer.name }).first();
  await expect.poll(() => row.textContent(), patience).toContain(said);
  await go(`#candidate?source=${compiled.key}&candidate=0`);
  const lineage = page.getByText("Lineage in the run that made it");
  await lineage.click();
  const listed = page.getByRole("listitem").filter({ hasText: "on val" }).nth(found.id);
  await expect.poll(() => listed.textContent(), patience).toMatch(new RegExp(`on val, ${said}$`));
});

it("and in the studio", async () => {
  await using studio = await studioOver(folder.path);
  await using visit = await pages.visit(studio);
  const row = visit.page.getByRole("row").filter({ hasText: compared.optimizer.name }).first();
  await expect
    .poll(() => row.textContent(), patience)
    .toContain(
      `${found.selection.value.toFixed(3)}estimated from ${found.selection.seen} examples`,
    );
});
