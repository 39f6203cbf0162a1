import { spawn } from "node:child_process";
import { createReadStream, existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { chromiumPages } from "../serve/routes/page/chromium.ts";

const repository = resolve(import.meta.dirname, "../..");
const site = join(repository, "docs/.vitepress/dist");
const pages = chromiumPages();
let output = "";
let status: number | null = null;

beforeAll(async () => {
  const child = spawn("npm", ["run", "--silent", "docs"], {
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ]);
  output = stdout + stderr;
  status = code;
});

test("the site builds without a warning and without a dead link", () => {
  expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
});

test("every door of the package has a page with what it exports", () => {
  const { exports } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const doors = Object.keys(exports).filter((door) => !/[.]json$|[*]/.test(door));
  for (const door of doors) {
    const name = door === "." ? "espalier" : door.slice(2);
    const page = readFileSync(join(site, `reference/api/${name}.html`), "utf8");
    expect(page).toContain(door.replace(".", "espalier"));
    expect(page).toContain("<h3");
  }
});

test.each(["light", "dark"] as const)(
  "a reader comes from the home page to the guide and finds an error code, in the %s scheme",
  async (colorScheme) => {
    await using server = await servedSite();
    await using visit = await pages.visit(server, {
      colorScheme,
      viewport: { width: 1280, height: 900 },
    });
    const { page } = visit;
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("espalier");
    const picture = page.getByRole("img", { name: /^Test scores/ });
    const src = await picture.getAttribute("src");
    expect(await page.evaluate(`document.querySelector('img[src="${src}"]').naturalWidth`)).toBe(
      760,
    );

    await page.getByRole("link", { name: "Getting started" }).first().click();
    await page.getByRole("heading", { level: 1, name: /Getting started/ }).waitFor();
    expect(await page.getByText("npx espalier eval answerer.ts").count()).toBeGreaterThan(0);

    await page.getByRole("link", { name: "Error codes" }).first().click();
    await page.getByText("lm-unreachable").first().waitFor();
    const widest = await page.evaluate("document.documentElement.scrollWidth");
    expect(widest).toBeLessThanOrEqual(1280);
  },
);

test("no page asks another server for anything", () => {
  const html = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".html"),
  );
  expect(html.length).toBeGreaterThan(30);
  const loaded =
    /<(?:script|img|iframe)[^>]+src="https?:|<link[^>]+rel="(?:stylesheet|preload)"[^>]+href="https?:/;
  expect(html.filter((path) => loaded.test(readFileSync(join(site, path), "utf8")))).toEqual([]);
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".json": "application/json",
};

async function servedSite(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname);
    const file = join(site, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(site) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
