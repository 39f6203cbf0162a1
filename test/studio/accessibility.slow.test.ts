import { afterAll, beforeAll, expect, it } from "vitest";
import { chromiumPages } from "../serve/routes/page/chromium.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { violations } from "../support/violations.ts";
import { fillStudioFolder, runId } from "./studio-folder.ts";
import { studioOver } from "./studio-over.ts";

const pages = chromiumPages();
const folder = await temporaryFolder();
beforeAll(() => fillStudioFolder(folder.path));
afterAll(() => folder[Symbol.asyncDispose]());

it.each([
  ["light", 1280],
  ["dark", 1280],
  ["light", 360],
  ["dark", 360],
] as const)("axe finds nothing wrong, %s, %i px wide", async (colorScheme, width) => {
  await using studio = await studioOver(folder.path);
  await using visit = await pages.visit(studio, {
    colorScheme,
    viewport: { width, height: 800 },
  });
  const { page } = visit;
  const found: string[] = [];
  for (const path of ["/", `/report?source=${runId}#search`]) {
    await page.goto(`${studio.url}${path}`);
    await page.locator("h2").first().waitFor();
    found.push(...(await violations(page)).map((violation) => `${path}: ${violation}`));
    const widest = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (widest > width) found.push(`${path} is ${widest} px wide`);
  }
  expect(found).toEqual([]);
});
