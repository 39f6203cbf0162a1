import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { linksIn } from "../../scripts/docs/markdown.ts";

const repository = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(resolve(repository, path), "utf8");
const pages = readdirSync(resolve(repository, "docs/decisions")).filter(
  (name) => name.endsWith(".md") && name !== "README.md",
);

test.each(pages)(
  "docs/decisions/%s has at most 40 lines, and says why, what and what follows",
  (name) => {
    const page = read(`docs/decisions/${name}`);
    expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Context", "Decision", "Figures", "Consequences"]);
  },
);

test("the list of decisions has all of them", () => {
  const listed = linksIn(read("docs/decisions/README.md")).filter((link) =>
    /^[a-z0-9-]+[.]md$/.test(link),
  );
  expect(listed.toSorted()).toEqual(pages.toSorted());
});
