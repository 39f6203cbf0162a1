import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { RunComparison } from "../../src/report/index.ts";
import { reportPage } from "../../src/report-page/index.ts";
import type { chromiumPages } from "../serve/routes/page/chromium.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export interface Opened extends AsyncDisposable {
  readonly page: Page;
  /** Follows an address within the page: `#flips`. */
  go(hash: string): Promise<void>;
}

/** A comparison's page as a browser shows it from a file. */
export async function opened(
  pages: ReturnType<typeof chromiumPages>,
  comparison: RunComparison,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const folder = await temporaryFolder();
  const file = join(folder.path, "report.html");
  await writeFile(file, reportPage(comparison));
  const visit = await pages.open(pathToFileURL(file), options);
  await visit.page.locator("h1").waitFor();
  return {
    page: visit.page,
    go: async (hash) => {
      await visit.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    },
    [Symbol.asyncDispose]: async () => {
      await visit[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** An address of each view. */
export const views: readonly string[] = [
  "#overview",
  "#search?source=notes-0",
  "#trade-offs?x=promptTokens&y=quality",
  "#candidates",
  "#candidate?source=notes-0&candidate=5",
  "#flips?example=town-1",
  "#prompts?source=notes-0&candidate=0&example=town-1",
];
