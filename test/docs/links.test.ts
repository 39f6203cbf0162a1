import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { placeOf } from "../../scripts/docs/stage-pages.ts";
import { anchorsIn, documentationPages, labBook, linksIn } from "../../scripts/docs/markdown.ts";

const repository = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(resolve(repository, path), "utf8");
const pages = documentationPages(repository);

test.each([...pages, labBook])(
  "every link of %s leads to a file of the repository, and to a heading in it",
  (page) => {
    const local = linksIn(read(page)).filter((target) => !/^[a-z]+:/.test(target));
    const dead = local.filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file =
        path === "" ? page : relative(repository, resolve(repository, dirname(page), path));
      // What the site adds is git-ignored, and linked from no page.
      if (file.startsWith("..") || !existsSync(resolve(repository, file))) return true;
      return anchor !== undefined && file.endsWith(".md") && !anchorsIn(read(file)).has(anchor);
    });
    expect(dead).toEqual([]);
  },
);

test("the README links to every page of the guide, and is at most 200 lines", () => {
  const readme = read("README.md");
  const linked = new Set(linksIn(readme).map((target) => target.replace(/#.*/, "")));
  const guide = pages.filter((page) => page.startsWith("docs/guide/"));
  expect(guide.length).toBeGreaterThan(5);
  expect(guide.filter((page) => !linked.has(page))).toEqual([]);
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(200);
});

test("the site's sidebar has every page and no other, and a picture for the browser's tab", async () => {
  const path = resolve(repository, "docs/.vitepress/config.mjs");
  const { default: config } = (await import(path)) as {
    readonly default: {
      readonly themeConfig: { readonly sidebar: unknown };
      readonly head: unknown;
    };
  };
  const listed = JSON.stringify(config.themeConfig.sidebar);
  // The home page, and the one of agents' house rules that points to another.
  const wanted = pages.filter((page) => page !== "README.md" && page !== "CLAUDE.md");
  const missing = wanted.filter((page) => {
    const place = placeOf(page).replace(/[.]md$/, "");
    return !listed.includes(`"link":"/${place}"`);
  });
  expect(missing).toEqual([]);
  const places = new Set(pages.map((page) => placeOf(page).replace(/[.]md$/, "")));
  const dead = [...listed.matchAll(/"link":"[/]([^"]+)"/g)].filter(
    // The API's pages are written when the site is built.
    ([, place = ""]) => !places.has(place) && place !== "reference/api/index",
  );
  expect(dead).toEqual([]);
  expect(JSON.stringify(config.head)).toContain('"rel":"icon"');
});

test("docs/reference/packages.md gives a reason for each dependency, and for no other", () => {
  // What the pages' package needs is in the bundles that espalier ships.
  const declared = ["package.json", "packages/pages/package.json"].flatMap((path) => {
    const manifest: Record<string, Readonly<Record<string, string>>> = JSON.parse(read(path));
    const { dependencies = {}, devDependencies = {} } = manifest;
    const forDevelopment = Object.keys(devDependencies);
    return [
      ...Object.keys(dependencies),
      ...forDevelopment.map((name) => name.replace(/^@types\/.*/, "@types/*")),
    ];
  });
  const rows =
    read("docs/reference/packages.md").split("## Dependencies")[1]?.split("\n## ")[0] ?? "";
  const named = rows
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) =>
      [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
  expect(new Set(named)).toEqual(new Set(declared));
});

test("docs/reference/packages.md names every entry point of the package", () => {
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(read("package.json"));
  const doors = Object.keys(exports).filter((door) => !/[.]json$|[*]/.test(door));
  const rows =
    read("docs/reference/packages.md").split("## Entry points")[1]?.split("\n## ")[0] ?? "";
  const named = [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, door = ""]) => door);
  expect(new Set(named)).toEqual(new Set(doors.map((door) => door.replace(".", "espalier"))));
});
