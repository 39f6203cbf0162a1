import { cpSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { urlToHttpOptions } from "node:url";
import { openServeState } from "espalier/serve";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPages, patience } from "../serve/routes/page/chromium.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fillStudioFolder, hidden, markup, runId } from "./studio-folder.ts";
import { studioOver } from "./studio-over.ts";

const pages = chromiumPages();
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());
const { path: folder } = resources.use(await temporaryFolder());

const run = join(folder, runId);
let version = "";

beforeAll(async () => {
  version = await fillStudioFolder(folder);
});

/** An answer to a request with headers that a browser would not send. */
async function under(
  url: string,
  {
    path,
    method = "GET",
    headers = {},
    body = "",
  }: {
    readonly path: string;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<{
  readonly status: number | undefined;
  readonly code: string;
  readonly headers: object;
}> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    code: string;
    headers: object;
  }>();
  const sent = request(
    { ...urlToHttpOptions(new URL(path, url)), path, method, headers, agent: false },
    (reply) => {
      let text = "";
      reply.on("data", (piece: Buffer) => (text += piece.toString()));
      reply.on("end", () => {
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "";
        resolve({ status: reply.statusCode, code, headers: reply.headers });
      });
    },
  );
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

describe("the studio", () => {
  it("lists what it finds by what it is, and what of it is in production", async () => {
    await using studio = await studioOver(folder);
    await using visit = await pages.visit(studio);
    const { page } = visit;
    const row = page.getByRole("row").filter({ hasText: runId });
    await row.getByText(/found-place on test/).waitFor();
    expect(await row.innerText()).toMatch(/ended/);
    expect(await row.innerText()).toMatch(
      /\+0\.\d+ found-place on test: better than the program it started from/,
    );
    expect(await row.innerText()).toMatch(/\b\d+ metric calls/);

    const shelf = page.getByRole("region", { name: "Versions of finder in shelf" });
    expect(await shelf.innerText()).toContain(`${version} production`);
    await page.getByRole("region", { name: "Results" }).getByText("places on val").waitFor();
    const trials = page.getByRole("region", { name: "Trials in state.sqlite" });
    expect(await trials.innerText()).toMatch(/canary 25%[\s\S]*0\.750/);
    const shadow = trials.getByRole("row").filter({ hasText: "rivers@" });
    expect(await shadow.innerText()).toMatch(/shadow 50%[\s\S]*0\.500[\s\S]*0\.250/);
    const ratings = page.getByRole("region", { name: "Ratings in feedback.sqlite" });
    expect(await ratings.innerText()).toMatch(/2\s+1, 1\s+0\.500/);
    const text = await page.locator("main").innerText();
    for (const skipped of ["node_modules", ".git", ".hidden"]) expect(text).not.toContain(skipped);
  });

  it("follows what a server keeps elsewhere, where its files are named", async () => {
    await using own = await temporaryFolder();
    await using elsewhere = await temporaryFolder();
    const [state, feedback] = ["state.sqlite", "feedback.sqlite"].map((name) =>
      join(elsewhere.path, name),
    ) as [string, string];
    cpSync(join(folder, "feedback.sqlite"), feedback);
    using server = openServeState(state);
    const settings = { canary: 0.1, shadow: 0, alpha: 0.05, tolerance: 0, keyShare: 1 };
    const pair = { model: "towns", baseline: "one", candidate: "two", since: "2026-11-25" };
    const { id } = server.begin(pair, settings);
    await using studio = await studioOver(own.path, { serverFiles: [state, feedback] });
    await using visit = await pages.visit(studio);
    const { page } = visit;
    await page.getByRole("region", { name: `Ratings in ${feedback}` }).waitFor();
    const trials = page.getByRole("region", { name: `Trials in ${state}` });
    await trials.getByText("canary 10%").waitFor();
    // The page follows while the server goes on.
    const key = { apiKey: Buffer.from("a"), key: Buffer.from("k") };
    server.observe(id, key, { weight: 1, baseline: null, candidate: 0.625 });
    await trials.getByText("0.625").waitFor();
  });

  it("compares what is ticked, and shows what an artifact changes of production", async () => {
    await using studio = await studioOver(folder);
    await using visit = await pages.visit(studio);
    const { page } = visit;
    await page.getByRole("checkbox", { name: "Compare result.json" }).check();
    await page.getByRole("checkbox", { name: `Compare ${runId}` }).check();
    await page.getByRole("link", { name: "Compare 2" }).click();
    const sources = page.getByRole("region", { name: "What was compared" });
    await expect
      .poll(() => sources.getByRole("rowheader").allTextContents(), patience)
      .toEqual(["result", "first"]);

    await page.getByRole("link", { name: "Studio", exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: runId });
    await row.getByRole("link", { name: "against production" }).click();
    await page.getByRole("heading", { name: "What differs" }).waitFor();
    await page.getByText("Nothing: the parts are the same.").waitFor();
    const seed = new URL(page.url());
    seed.hash = seed.hash.replace(/candidate=\d+/, "candidate=0");
    await page.goto(seed.href);
    await page.locator("del, ins").first().waitFor();
  });

  it("shows texts of others as texts, and hides nothing", async () => {
    await using studio = await studioOver(folder);
    await using visit = await pages.visit(studio);
    const { page } = visit;
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await page.getByText("Alias history").click();
    const text = await page.locator("main").innerText();
    expect(text.split(markup).length).toBeGreaterThan(4);
    expect(text).toContain("\\u202egnp.exe");
    expect(text).not.toContain(hidden);
    expect(await page.locator("main img, main script, main style").count()).toBe(0);
    expect(await page.title()).toBe("Studio");
    await page.getByRole("link", { name: markup }).first().click();
    await page.locator("h1, [role=alert]").first().waitFor();
    expect(await page.locator("main img, main script, main style").count()).toBe(0);
  });

  it("answers its own machine and its own pages alone", async () => {
    await using studio = await studioOver(folder);
    const { host } = new URL(studio.url);
    const stop = {
      path: "/api/stop",
      method: "POST",
      body: JSON.stringify({ run: runId }),
      headers: { host, "content-type": "application/json", origin: studio.url },
    };
    for (const path of ["/", "/report", "/api/listing", "/api/live", "/studio.js"]) {
      const headers = { host: "evil.example" };
      expect(await under(studio.url, { path, headers })).toMatchObject({ status: 421 });
    }
    for (const headers of [
      { ...stop.headers, origin: "http://evil.example" },
      { ...stop.headers, origin: "null" },
      { host, "content-type": "application/json" },
      { ...stop.headers, "sec-fetch-site": "cross-site" },
    ]) {
      const refused = await under(studio.url, { ...stop, headers });
      expect(refused).toMatchObject({ status: 403, code: "origin_not_allowed" });
      expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
    }
    const asForm = { ...stop.headers, "content-type": "text/plain" };
    expect(await under(studio.url, { ...stop, headers: asForm })).toMatchObject({ status: 415 });
    // It has ended: there is nothing to stop.
    expect(await under(studio.url, stop)).toMatchObject({ status: 200 });
    expect(readdirSync(run)).not.toContain("stop");

    const page = await under(studio.url, { path: "/", headers: { host } });
    expect(page.headers).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'; script-src 'self'"),
      "cross-origin-resource-policy": "same-origin",
    });
    for (const source of ["../../../etc/passwd", join(run, "journal.jsonl"), "nothing"]) {
      const path = `/api/comparison?source=${encodeURIComponent(source)}`;
      const answer = await under(studio.url, { path, headers: { host } });
      expect(answer).toMatchObject({ status: 404, code: "source_unknown" });
    }
  });
});
