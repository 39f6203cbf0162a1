import { expect, it } from "vitest";
import { withThumbnails } from "../../src/report/compare-runs.ts";
import { imagePlaceholder } from "../../src/internal/index.ts";
import { chromiumPages } from "../serve/routes/page/chromium.ts";
import { dataUrl, plainPng } from "../support/png.ts";
import { madeComparison } from "./made-comparison.ts";
import { opened } from "./opened.ts";

const pages = chromiumPages();
const small = dataUrl(plainPng([200, 30, 30]));
const large = dataUrl(Buffer.concat([plainPng([30, 30, 200]), Buffer.alloc(100_000)]));
const svg = `data:image/svg+xml;base64,${Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='run'"><script>document.title='run'</script></svg>`,
).toString("base64")}`;
const address = "https://pictures.example/a.png";

const made = madeComparison({ candidates: 3, examples: 4 });
const withPictures = {
  ...made,
  examples: made.examples.map((example) => ({
    ...example,
    input: { sign: small, photo: large, drawing: svg, remote: address, all: [small, small] },
  })),
};

it("the page shows small pictures, names large ones, and loads and runs nothing", async () => {
  const comparison = withThumbnails(withPictures);
  expect(Object.keys(comparison.images ?? {})).toEqual([imagePlaceholder(small)]);
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await go("#flips?baseline=notes-0%3A0&other=notes-0%3A1&split=val&example=town-1");
  const example = page.locator("article.example");
  await example.waitFor();
  const images = example.locator("img");
  await expect.poll(() => images.count()).toBe(3);
  const widthOf = 'document.querySelector("article.example img").naturalWidth';
  await expect.poll(() => page.evaluate(widthOf)).toBe(8);
  expect(await images.first().getAttribute("src")).toBe(small);
  const text = await example.innerText();
  for (const named of [imagePlaceholder(small), imagePlaceholder(large), address, svg]) {
    expect(text).toContain(named);
  }
  expect(await page.title()).not.toBe("run");
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([]);
});

it("a page that was given a hostile picture does not show it", async () => {
  const name = imagePlaceholder(small);
  const comparison = { ...withThumbnails(withPictures), images: { [name]: svg } };
  await using report = await opened(pages, comparison);
  await report.go("#flips?baseline=notes-0%3A0&other=notes-0%3A1&split=val&example=town-1");
  const example = report.page.locator("article.example");
  await example.waitFor();
  expect(await example.locator("img").count()).toBe(0);
  expect(await example.innerText()).toContain(name);
});

it("a comparison without pictures is the same value as before", () => {
  expect(withThumbnails(made)).toEqual(made);
  expect(withThumbnails(made).examples).toBe(made.examples);
});
