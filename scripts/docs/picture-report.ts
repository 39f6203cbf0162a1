/** Takes the pictures of a report's page for the docs. */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { chromium } from "playwright-core";
import { scriptOptions } from "../support/script-options.ts";

const {
  positionals: [report = "report.html", folder = "docs", studio],
} = scriptOptions({
  command: "npm run docs:pictures",
  about:
    "Takes pictures of the overview, flips, candidate and trade-offs in REPORT.html, a page of `espalier compare --html`, and of the first page of a running `espalier studio`, if its address is given. Saves them in FOLDER (default docs).",
  positionals: "REPORT.html [FOLDER] [STUDIO]",
});

const address = pathToFileURL(resolve(report)).href;
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
await picture("overview", "#overview");
await picture("trade-offs", "#trade-offs");
await picture("flips", "#flips", async () => {
  const first = page.getByRole("table", { name: "Flips" }).getByRole("link").first();
  if ((await first.count()) > 0) await first.click();
});
await picture("candidate", "#overview", async () => {
  await page
    .locator(".answers")
    .getByRole("link", { name: /candidate/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Why it was accepted" }).waitFor();
});
if (studio !== undefined) {
  await page.goto(studio);
  await page.getByRole("heading", { name: "Runs" }).waitFor();
  await page.screenshot({ path: join(folder, "studio.png") });
}
await browser.close();

async function picture(
  name: string,
  hash: string,
  then: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  await page.goto("about:blank");
  await page.goto(`${address}${hash}`);
  await page.locator("h1").waitFor();
  await then(page);
  await page.screenshot({ path: join(folder, `report-${name}.png`) });
}
