import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compareRuns, readRunHistory } from "espalier/report";
import { readRun } from "espalier/optimizer";
import { afterAll, expect, test } from "vitest";
import { runFigures } from "../../../src/studio/thread/answer-in-thread.ts";
import { opened } from "../../report-page/opened.ts";
import { chromiumPages } from "../../serve/routes/page/chromium.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const pages = chromiumPages();
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const run = join(folder.path, "run");
const args = ["optimize", "test/cli/fixtures/milder-places.ts", "--optimizer", "gepa", "--json"];
// Enough for the program as it is, and for nothing else.
const { code, stdout, stderr } = await runMain([...args, "--budget", "14", "--run", run]);
if (code !== 0) throw new Error(stderr);

/** A difference, an interval or a p-value, in any place's words. */
const claims = /[+-]\d\.\d{2}|p = |\bbetter than (?!the program it started from, \d)|as good as/;

async function expectNothingChanged(): Promise<void> {
  expect(readRun(run).best?.id).toBe(0);
  const shown = await runMain(["show", run]);
  expect(shown.stdout).toContain(
    "  verdict: nothing changed: the search chose the program it started from\n",
  );
  expect(shown.stdout).not.toMatch(claims);
  const compared = await runMain(["compare", run]);
  expect(compared.stdout).toMatch(
    /^Nothing changed: the search chose the program it started from, 0\.\d{3} mildness on test\.\n/,
  );
  expect(compared.stdout).not.toMatch(claims);
  const history = readRunHistory(run);
  const comparison = compareRuns([{ kind: "run", path: run, history }]);
  expect(comparison).toMatchObject({ headline: null, contrasts: [] });
  expect(JSON.stringify(comparison)).not.toContain("pValue");
  expect(runFigures({ kind: "run", path: run, history }).claim).toBe("unchanged");
  await using report = await opened(pages, comparison);
  const page = await report.page.locator("main").innerText();
  expect(page).toMatch(/^Nothing changed: /);
  expect(page).toContain("nothing changed: the search chose the program it started from");
  expect(page).not.toMatch(claims);
}

test("a search that found nothing runs test once, and says that nothing changed", () => {
  expect(stdout).toContain(
    "\nverdict: nothing changed: the search chose the program it started from\nmildness  0.",
  );
  expect(stdout).toMatch(
    /test, held out from every decision: 20 examples(?: in \d+ clusters \(groups of related examples\))?\n/,
  );
  expect(stdout).toContain("what won: the program it started from");
  expect(stdout.split("\n").slice(0, -2).join("\n")).not.toMatch(claims);
  expect(stderr).not.toContain("after on test");
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  for (const figure of [last.test, ...last.test.objectives]) {
    expect(figure).toMatchObject({ verdict: "unchanged", improved: false, examples: 20 });
    expect(figure).toMatchObject({ difference: null, pValue: null });
    expect(figure.seed).toBe(figure.optimized);
  }
  expect(last.test.objectives).toHaveLength(1);
  // Two queries for each of 14 examples on val and 20 on test.
  expect(last.ledger.byRole.student.logical.calls).toBe(2 * (14 + 20));
  const { run: made } = JSON.parse(readFileSync(join(run, "artifact.json"), "utf8"));
  expect(made).toMatchObject({ comparison: null, seedOnTest: { value: last.test.seed } });
});

test("so do all that show the run", expectNothingChanged);
