import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readRun } from "espalier/optimizer";
import { serveRehearsal } from "@espalier/rehearsal";
import { expect, it } from "vitest";
import type { Clock } from "../../src/internal/index.ts";
import { chromiumPages, patience } from "../serve/routes/page/chromium.ts";
import { espalier, startCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { studioOver } from "./studio-over.ts";

const places = resolve("test/cli/fixtures/few-places.ts");
const pages = chromiumPages();

/** Answers as many calls as are let through by now; a test sees how far a search can be. */
function valve(): Clock & { open(calls: number): void; isHolding(): boolean } {
  const waiting: (() => void)[] = [];
  let [asked, open] = [0, 0];
  return {
    now: () => 0,
    sleep: () =>
      asked++ < open ? Promise.resolve() : new Promise((done) => void waiting.push(done)),
    isHolding: () => waiting.length > 0,
    open: (calls) => {
      open = calls;
      for (const done of waiting.splice(0, Math.max(0, open - (asked - waiting.length)))) done();
    },
  };
}

it("shows a running search as it grows, and ends it", async () => {
  await using folder = await temporaryFolder();
  const clock = valve();
  await using lm = await serveRehearsal({ latencyMs: 1, clock });
  const run = join(folder.path, ".espalier/runs/live");
  const search = startCli([
    "optimize",
    places,
    ..."--optimizer gepa --budget 400 --concurrency 1 --cache none".split(" "),
    "--lm",
    `${lm.url}/v1`,
    "--run",
    run,
  ]);
  // The seed takes 28 calls.
  clock.open(30);
  // While the search starts, which takes longest here: the page is open before there is a run.
  await using studio = await studioOver(folder.path);
  await using visit = await pages.visit(studio);
  const { page } = visit;
  const row = page.getByRole("row").filter({ hasText: ".espalier/runs/live" });
  await row.getByText("running", { exact: true }).waitFor();
  await row.getByText("14 of 400 metric calls").waitFor();
  await search.saw("before: ");
  const before = readdirSync(run);

  await row.getByRole("link", { name: ".espalier/runs/live" }).click();
  await page.getByRole("link", { name: "Search" }).click();
  const marks = page.getByRole("group", { name: /^Score on val/ }).getByRole("link");
  await expect.poll(() => marks.count(), patience).toBe(1);

  clock.open(150);
  await search.saw("candidate 1:");
  // Nobody reloads the page: its curve, its tree and its costs follow the journal.
  await expect.poll(() => marks.count(), patience).toBeGreaterThan(1);
  const status = page.getByRole("status");
  await expect.poll(() => status.textContent(), patience).toMatch(/about .* more/);
  expect(await page.getByRole("link", { name: /^Candidate 1/ }).count()).toBeGreaterThan(0);
  // Reading left nothing in the folder.
  expect(readdirSync(run)).toEqual(before);

  // One that still moves would have ended before the page could say that it is about to.
  await expect.poll(() => clock.isHolding(), patience).toBe(true);
  await page.getByRole("button", { name: /^Stop/ }).click();
  await page.getByText("stopping: it ends after this step").waitFor();
  expect(existsSync(join(run, "stop"))).toBe(true);
  clock.open(Infinity);
  await page.getByText("stopped; it can be resumed").waitFor();
  const { code, stderr } = await search.ended;
  expect(code).toBe(0);
  expect(stderr).toContain(`Remove the file to continue: ${espalier} optimize `);
  const { end, spent } = readRun(run);
  expect(end?.reason).toBe("stopper");
  expect(spent.metricCalls).toBeLessThan(400);

  // Its report on test comes after the search.
  await page.getByRole("link", { name: "Studio", exact: true }).click();
  await row.getByText(/found-place on test/).waitFor();
});
