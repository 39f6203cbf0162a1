import { expect, test } from "vitest";
import { reportPage } from "../../src/report-page/index.ts";
import { chromiumPages, patience } from "../serve/routes/page/chromium.ts";
import { madeComparison } from "./made-comparison.ts";
import { opened } from "./opened.ts";

const pages = chromiumPages();
const megabyte = 1_000_000;

// Measured on two cores that other work shares: see test/bench/lab-book.md. The bounds here are the
// times of a page with next to nothing, and of this one's opening, which the same host takes.
test("500 candidates on 1,000 examples open and are filtered without a wait", async () => {
  const comparison = madeComparison({ candidates: 500, examples: 1_000, rollouts: 20 });
  const small = madeComparison({ candidates: 1, examples: 1, rollouts: 0 });
  const none = reportPage(small);
  const size = reportPage(comparison).length;
  expect(none.length).toBeLessThan(1.5 * megabyte);

  const firstView = "performance.getEntriesByName('first-view')[0].startTime";
  let minMs: number;
  {
    await using report = await opened(pages, small);
    minMs = await report.page.evaluate<number>(firstView);
  }
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  const firstViewMs = await page.evaluate<number>(firstView);
  expect(firstViewMs).toBeLessThan(20 * minMs);

  await go("#flips?baseline=notes-0%3A0&other=notes-0%3A400&split=val");
  const tally = page.getByText(/better, \d+ worse on val/);
  await tally.waitFor();
  const begun = performance.now();
  await page.getByLabel("Search").fill("entry 512.");
  await expect
    .poll(() => tally.textContent(), { ...patience, interval: 5 })
    .toMatch(/of \d+ in all/);
  const filteredMs = performance.now() - begun;
  expect(filteredMs).toBeLessThan(2 * firstViewMs);

  await go("#candidates");
  await page.getByRole("table", { name: "Candidates" }).waitFor();
  expect(await page.getByRole("row").count()).toBeLessThan(60);
  process.stderr.write(
    `page ${(none.length / megabyte).toFixed(2)} MB, with data ${(size / megabyte).toFixed(2)} MB; first view ${minMs.toFixed(0)} and ${firstViewMs.toFixed(0)} ms; filter ${filteredMs.toFixed(0)} ms\n`,
  );
});
