import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { apiKeysInClear, pageAdapter } from "espalier/serve";
import { expect, test } from "vitest";
import { served } from "../../served.ts";
import { answering, upstream } from "../../upstream.ts";

const key = "esp-0123456789abcdefghijklmnopqrstuv";
const folder = resolve(import.meta.dirname, "../../../../packages/pages/src/chat");
const names = readdirSync(folder).filter((name) => !name.endsWith(".json"));

test("the page and its parts need no key and come with a policy; what lies beside them is not served", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, {
    keys: apiKeysInClear(key, "test"),
    adapters: [pageAdapter()],
    secrets: ["lm-server-key-5f2a"],
  });
  const paths = names.map((name) => (name === "index.html" ? "/" : `/page/${name}`));
  const types = new Set<string>();
  for (const path of paths) {
    const response = await fetch(server.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).not.toMatch(/lm-server-key|esp-0123/);
    types.add(response.headers.get("content-type") ?? "");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
    );
  }
  expect([...types].toSorted()).toEqual([
    "image/svg+xml",
    "text/css; charset=utf-8",
    "text/html; charset=utf-8",
    "text/javascript; charset=utf-8",
  ]);
  const beside = ["/index.html", "/page", "/page/", "/page/tsconfig.json", "/page/../v1/models"];
  for (const path of [...beside, "/page/%2e%2e/page-adapter.ts", "/v1/models"]) {
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 401]);
  }
});

test("what a browser has already is not sent again", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { adapters: [pageAdapter()] });
  const first = await fetch(`${server.url}/page/page.js`);
  const etag = first.headers.get("etag") ?? "";
  expect(first.headers.get("cache-control")).toBe("no-cache");
  const again = await fetch(`${server.url}/page/page.js`, { headers: { "if-none-match": etag } });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  const other = await fetch(`${server.url}/page/page.css`, { headers: { "if-none-match": etag } });
  expect(other.status).toBe(200);
});

test("a server without the page has nothing at its address", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  for (const path of ["/", "/page/page.js"]) {
    expect((await fetch(server.url + path)).status).toBe(404);
  }
});

test("the page is smaller than 48 KiB, and makes no HTML out of strings", () => {
  const contents = names.map((name) => readFileSync(resolve(folder, name), "utf8"));
  expect(Buffer.byteLength(contents.join(""))).toBeLessThan(48 * 1024);
  const made = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|\son\w+=/;
  expect(contents.filter((content) => made.test(content))).toEqual([]);
});
