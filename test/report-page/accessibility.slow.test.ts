import { expect, test } from "vitest";
import { chromiumPages } from "../serve/routes/page/chromium.ts";
import { violations } from "../support/violations.ts";
import { madeComparison } from "./made-comparison.ts";
import { opened, views } from "./opened.ts";

const pages = chromiumPages();
const comparison = madeComparison({ candidates: 12, examples: 40, runs: 2 });

test.each([
  ["light", 1280],
  ["dark", 1280],
  ["light", 360],
  ["dark", 360],
] as const)("axe finds nothing wrong in any view, %s, %i px wide", async (colorScheme, width) => {
  const viewport = { width, height: 800 };
  await using report = await opened(pages, comparison, { colorScheme, viewport });
  const { page, go } = report;
  const found: string[] = [];
  for (const hash of views) {
    await go(hash);
    await page.locator("h1").waitFor();
    await page.evaluate(
      "for (const each of document.querySelectorAll('details')) each.open = true",
    );
    found.push(...(await violations(page)).map((violation) => `${hash}: ${violation}`));
    const widest = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (widest > width) found.push(`${hash} is ${widest} px wide`);
  }
  expect(found).toEqual([]);
});
