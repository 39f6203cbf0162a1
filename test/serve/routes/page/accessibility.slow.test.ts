import { join } from "node:path";
import { openFeedback, pageAdapter } from "espalier/serve";
import { expect, test } from "vitest";
import { violations } from "../../../support/violations.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { served } from "../../served.ts";
import { answering, beginStream, sendPiece, upstream } from "../../upstream.ts";
import { answerOf, chromiumPages, patience } from "./chromium.ts";

const pages = chromiumPages();

test.each(["light", "dark"] as const)(
  "axe finds nothing wrong in the %s scheme, from the empty page to a rated answer",
  async (colorScheme) => {
    await using folder = await temporaryFolder();
    using feedback = openFeedback({ path: join(folder.path, "feedback.sqlite"), isMade: true });
    await using lm = await upstream((response, request) => {
      if (!JSON.stringify(request.messages).includes("Stall")) {
        return answering("By a river [1].")(response, request);
      }
      beginStream(response);
      sendPiece(response, '{"answer": "By the');
    });
    await using server = await served(lm, {
      adapters: [pageAdapter({ notice: "A trial." })],
      feedback,
    });
    await using visit = await pages.visit(server, { colorScheme });
    const { page } = visit;
    await page.getByLabel("Side by side").check();
    await page.getByLabel("Second program").selectOption("at-once");
    expect(await violations(page)).toEqual([]);

    await visit.ask("Where is Ostrel?");
    const answer = answerOf(page, "towns/answerer");
    await answer.getByRole("button", { name: "Good answer" }).click();
    await answer.getByText("Saved.").waitFor();
    await answer.getByRole("link", { name: "Source 1" }).click();
    expect(await violations(page)).toEqual([]);

    await visit.ask("Stall.");
    await answerOf(page, "at-once").getByText("By the").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Stop" }).click();
    await answerOf(page, "at-once").getByText("Stopped.").waitFor();
    expect(await violations(page)).toEqual([]);
  },
);

test.each([
  ["320 px wide", { viewport: { width: 320, height: 568 } }],
  ["enlarged to 200 %", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
])("%s nothing is cut off and nothing scrolls sideways", async (_, options) => {
  const word = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(2);
  await using lm = await upstream(answering(`In ${word} [1].`));
  await using server = await served(lm, { adapters: [pageAdapter()] });
  await using visit = await pages.visit(server, options);
  const { page } = visit;
  await page.getByLabel("Side by side").check();
  await visit.ask(`Where is ${word}?`);
  const answers = page.getByRole("article");
  await expect.poll(() => page.getByText("2 LM calls").count(), patience).toBe(2);
  const [first, second] = await Promise.all(
    [0, 1].map((index) => answers.nth(index).boundingBox()),
  );
  expect(first?.x).toBe(second?.x);
  const widest = await page.evaluate<number>(
    `Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll(
      "body *:not(.unseen, .unseen *)")].map((each) => each.getBoundingClientRect().right))`,
  );
  expect(widest).toBeLessThanOrEqual(options.viewport.width);
  for (const name of ["Ask", "New conversation"]) {
    await page.getByRole("button", { name, exact: true }).scrollIntoViewIfNeeded();
    expect(await page.getByRole("button", { name, exact: true }).isVisible()).toBe(true);
  }
});

test("nothing moves for who asked for less motion", async () => {
  await using lm = await upstream((response) => beginStream(response));
  await using server = await served(lm, { adapters: [pageAdapter()] });
  for (const [reducedMotion, count] of [
    ["reduce", 0],
    ["no-preference", 1],
  ] as const) {
    await using visit = await pages.visit(server, { reducedMotion });
    await visit.ask("Where is Ostrel?");
    await visit.page.getByText("Working").waitFor();
    expect(await visit.page.evaluate("document.getAnimations().length")).toBe(count);
  }
});
