/** Takes the picture of a server's page for the docs. */
import { join } from "node:path";
import { chromium } from "playwright-core";
import { scriptOptions } from "../support/script-options.ts";

const {
  positionals: [address = "http://127.0.0.1:8080/", folder = "docs"],
} = scriptOptions({
  command: "npm run docs:pictures-page",
  about:
    "Takes a picture of the page of a running `espalier serve optimizers/serving.ts` at ADDRESS (default http://127.0.0.1:8080/), on which two programs answer the first example question. Saves it in FOLDER (default docs).",
  positionals: "[ADDRESS] [FOLDER]",
});

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 860 } });
await page.goto(address);
await page.getByLabel("Program", { exact: true }).selectOption("r2rag");
await page.getByLabel("Side by side").check();
await page.getByLabel("Second program").selectOption("hanrag");
await page.locator(".example").first().click();
// The last that an answer says is how long it took.
await page.locator(".foot").getByText(/ s$/).nth(1).waitFor();
await page.evaluate("scrollTo(0, 0)");
await page.screenshot({ path: join(folder, "page.png") });
await browser.close();
