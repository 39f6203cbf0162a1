import { expect, it } from "vitest";
import { chromiumPages, patience } from "../serve/routes/page/chromium.ts";
import { madeComparison } from "./made-comparison.ts";
import { opened, views } from "./opened.ts";

const pages = chromiumPages();
const comparison = madeComparison({ candidates: 12, examples: 40, runs: 2 });
const [run] = comparison.sources;
const val = (candidate: number): readonly (number | null)[] =>
  run?.candidates[candidate]?.scores.val?.values ?? [];

it("says on top what won, by how much, how surely and at what cost", async () => {
  await using report = await opened(pages, comparison);
  const { page } = report;
  await expect
    .poll(() => page.getByRole("heading", { level: 1 }).textContent())
    .toBe(comparison.headline?.lead);
  const answers = await page.locator(".answers").innerText();
  for (const told of [
    "What won",
    "+0.042",
    "0.011 to 0.073",
    "Better than the program it started from",
    "decided by both: the interval excludes zero, and p is at most 0.05",
    "41 better, 17 worse",
    "2,480 metric calls",
  ])
    expect(answers).toContain(told);
});

it("shows on the first screen why: what the search changed; and what fell", async () => {
  const { headline } = comparison;
  if (headline === null) throw new Error("no headline");
  const fell = [{ metric: "urgency", value: 0.5, difference: -0.25 }];
  const told = { ...comparison, headline: { ...headline, fell } };
  await using report = await opened(pages, told, { viewport: { width: 1280, height: 800 } });
  const { page } = report;
  const change = page.getByRole("region", { name: "Why" }).locator("ins").first();
  await change.waitFor();
  const box = await change.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);
  expect(await page.locator(".answers").innerText()).toContain(
    "lower on test: urgency 0.750 → 0.500",
  );
});

it("begins with why there is nothing to say, where nothing can be compared", async () => {
  const why = "Cannot compare candidate 1 of b with candidate 2 of a: their metrics differ.";
  const told = { ...comparison, headline: null, incomparable: [why] };
  await using report = await opened(pages, told);
  expect(await report.page.getByRole("heading", { level: 1 }).textContent()).toBe(why);
});

it("keeps a candidate's number in sight, however long the name of its run is", async () => {
  const long = `notes-${"2026-11-28T00-42-15-560Z-".repeat(4)}`;
  const renamed = JSON.parse(
    JSON.stringify(comparison).replaceAll('"notes-0"', JSON.stringify(long)),
  ) as typeof comparison;
  await using report = await opened(pages, renamed);
  const { page, go } = report;
  await go("#candidates");
  const link = page.getByRole("table", { name: "Candidates" }).getByRole("link").first();
  expect(await link.textContent()).toMatch(/^candidate \d+ \(best\) of notes-/);
});

it("lists the examples that flipped, filtered by direction, label and words", async () => {
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  await go("#flips?baseline=notes-0%3A0&other=notes-0%3A7&split=val");
  const [before, after] = [val(0), val(7)];
  const better = [...after.keys()].filter((index) => Number(after[index]) > Number(before[index]));
  const worse = [...after.keys()].filter((index) => Number(after[index]) < Number(before[index]));
  const tally = page.getByText(/better, \d+ worse on val/);
  await expect
    .poll(() => tally.textContent(), patience)
    .toBe(`${better.length} better, ${worse.length} worse on val.`);

  await page.getByLabel("Change").selectOption("better");
  const all = better.length + worse.length;
  await expect
    .poll(() => tally.textContent())
    .toBe(`${better.length} better, 0 worse on val, of ${all} in all.`);

  await page.getByLabel("Label").selectOption("turn");
  await page.getByLabel("turn", { exact: true }).selectOption("2");
  const second = better.filter((index) => index % 4 === 2);
  await expect
    .poll(() => tally.textContent())
    .toBe(`${second.length} better, 0 worse on val, of ${all} in all.`);

  await page.getByLabel("Change").selectOption("");
  await page.getByLabel("Label").selectOption("");
  const [wanted = 0] = better;
  await page.getByLabel("Search").fill(`mill (${wanted})`);
  await expect.poll(() => tally.textContent()).toBe(`1 better, 0 worse on val, of ${all} in all.`);
  await page.getByRole("link", { name: `town-${wanted}`, exact: true }).click();
  await page.getByRole("heading", { name: `town-${wanted}`, exact: true }).waitFor();
  expect(new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("example")).toBe(
    `town-${wanted}`,
  );
});

it("shows both runs of an example side by side, and the exact prompt", async () => {
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  await go("#flips?example=town-1");
  const after = page.getByRole("region", { name: "After" });
  await after.getByText("hop[0]/answer").click();
  await after.getByText("Reply", { exact: true }).waitFor();
  await after.getByRole("link", { name: "Prompts" }).click();
  await page.getByRole("heading", { name: /^Prompts of notes-0/ }).waitFor();
  expect(await page.locator(".message").nth(1).innerText()).toContain(
    "Question: Which river runs past the mill of Ostrel?",
  );
});

it("shows of a candidate what differs from its parent, unchanged stretches folded", async () => {
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  await go("#candidate?source=notes-0&candidate=1&against=notes-0%3A0");
  await page.getByRole("heading", { name: "notes-0, candidate 1" }).waitFor();
  expect(await page.locator("ins").innerText()).toContain("Write numbers as digits.");
  expect(await page.locator("del").count()).toBe(0);
  await page.getByText("2 parts are the same").waitFor();
  await page.getByRole("button", { name: /unchanged characters/ }).click();
  expect(await page.locator(".part .quoted").first().innerText()).toContain(
    "Use only what the passages say",
  );
});

it("goes by keyboard from mark to mark of a plot, and through the list", async () => {
  await using report = await opened(pages, comparison);
  const { page, go } = report;
  await go("#trade-offs");
  const marks = page.getByRole("group", { name: "quality by promptTokens" }).getByRole("link");
  await marks.first().focus();
  await page.keyboard.press("ArrowRight");
  const [, second] = await marks.all();
  expect(await page.locator("figcaption").innerText()).toBe(
    await second?.getAttribute("aria-label"),
  );
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "notes-0, candidate 1" }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.tagName"), patience).toBe("H1");
});

it("an address that names nothing is answered, not broken", async () => {
  await using report = await opened(pages, comparison);
  for (const hash of ["#constructor", "#candidate?source=x&candidate=99", "#flips?baseline=:::"]) {
    await report.go(hash);
    await report.page.locator("h1").waitFor();
  }
});

it("text of a run stays text, and hides nothing", async () => {
  const hostile = `</script><script>document.title='X'</script><img src=x onerror="document.title='X'">"'\u202egnp.exe\u0000`;
  const text = `${hostile}${"x".repeat(1_000_000)}`;
  await using report = await opened(
    pages,
    madeComparison({ candidates: 6, examples: 4, rollouts: 2, text }),
  );
  const { page, go } = report;
  for (const hash of views) {
    await go(hash);
    await page.locator("h1").waitFor();
    await expect.poll(() => page.title()).toContain("comparison of runs");
    expect(await page.locator("main img, main script, main style").count()).toBe(0);
    expect(await page.locator("main").evaluate((main) => /[\0\u202e]/.test(main.textContent))).toBe(
      false,
    );
    const widest = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(widest).toBeLessThanOrEqual(1280);
  }
  const message = page.locator(".message").nth(1);
  expect(await message.innerText()).toContain("</script><script>document.title='X'</script>");
  expect(await message.innerText()).toContain("\\u202egnp.exe\\u0000");
  await message.getByRole("button", { name: /Show all 1,000,\d+ characters/ }).click();
  expect((await message.innerText()).length).toBeGreaterThan(1_000_000);
});
