import { expect, test } from "vitest";
import { reportPage } from "../../src/report-page/index.ts";
import { chromiumPages, patience } from "../serve/routes/page/chromium.ts";
import { madeComparison } from "./made-comparison.ts";
import { opened } from "./opened.ts";

const pages = chromiumPages();
const megabyte = 1_000_000;

// Measured on two cores that other work shares: see docs/benchmarks.md. The bounds here are
// for a host that is busier.
test("500 candidates on 1,000 examples open and are filtered without a wait", async () => {
  const comparison = madeComparison({ candidates: 500, examples: 1_000, rollouts: 20 });
  const none = reportPage(madeComparison({ candidates: 1, examples: 1, rollouts: 0 }));
  const size = reportPage(comparison).length;
  expect(none.length).toBeLessThan(1.5 * megabyte);

  await using report = await opened(pages, comparison);
  const { page, go } = report;
  const firstViewMs = await page.evaluate<number>(
    "performance.getEntriesByName('first-view')[0].startTime",
  );
  expect(firstViewMs).toBeLessThan(10_000);

  await go("#flips?baseline=notes-0%3A0&other=notes-0%3A400&split=val");
  const tally = page.getByText(/better, \d+ worse on val/);
  await tally.waitFor();
  const begun = performance.now();
  await page.getByLabel("Search").fill("entry 512.");
  await expect
    .poll(() => tally.textContent(), { ...patience, interval: 5 })
    .toMatch(/of \d+ in all/);
  const filteredMs = performance.now() - begun;
  expect(filteredMs).toBeLessThan(5_000);

  await go("#candidates");
  await page.getByRole("table", { name: "Candidates" }).waitFor();
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  process.stderr.write(
    `page ${(none.length / megabyte).toFixed(2)} MB, with data ${(size / megabyte).toFixed(2)} MB; first view ${firstViewMs.toFixed(0)} ms; filter ${filteredMs.toFixed(0)} ms\n`,
  );
});
