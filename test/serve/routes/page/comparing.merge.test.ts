import { join } from "node:path";
import { compileArtifact, openRegistry } from "espalier/artifact";
import { openFeedback, pageAdapter, readPreferences } from "espalier/serve";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { atOnce, served } from "../../served.ts";
import type { Reply } from "../../upstream.ts";
import { answering, beginStream, upstream } from "../../upstream.ts";
import { answerOf, chromiumPages, patience } from "./chromium.ts";

const pages = chromiumPages();

/**
 * A server that keeps feedback, and has two versions of `at-once` that the language model can tell
 * apart.
 */
async function atWork(exactly: Reply = answering("At the Vessen, in the hills of Harn.")) {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder());
  const path = join(folder.path, "feedback.sqlite");
  const store = resources.use(openFeedback({ path, isMade: true }));
  const registry = openRegistry(join(folder.path, "artifacts"));
  const versions: string[] = [];
  for (const instruction of ["Be brief.", "Be exact."]) {
    const artifact = compileArtifact({
      program: atOnce,
      candidate: [{ kind: "instruction", path: "answer", value: instruction }],
      lm: { provider: "test", model: "none" },
      samples: { answer: [{ question: "Where?", history: [] }] },
    });
    versions.push((await registry.add(artifact)).version);
  }
  const [brief = "", exact = ""] = versions;
  await registry.promote("at-once", brief, "production");
  await registry.promote("at-once", exact, "candidate");
  const briefly = answering("By a river.");
  const lm = resources.use(
    await upstream((response, request) =>
      JSON.stringify(request.messages).includes("Be exact.")
        ? exactly(response, request)
        : briefly(response, request),
    ),
  );
  const server = resources.use(
    await served(lm, { registry, feedback: store, adapters: [pageAdapter()] }),
  );
  const visit = resources.use(await pages.visit(server));
  await visit.page.getByLabel("Program", { exact: true }).selectOption("at-once");
  return {
    store,
    path,
    brief,
    exact,
    lm,
    visit,
    page: visit.page,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

test("each version is offered once, with its aliases, and the one that is chosen answers", async () => {
  await using work = await atWork();
  const { page, brief, exact } = work;
  const version = page.getByLabel("Version", { exact: true });
  const offered = await version.getByRole("option").allTextContents();
  expect(new Set(offered)).toEqual(
    new Set([`default: ${brief}`, `${brief}, production`, `${exact}, candidate`]),
  );
  await version.selectOption(exact);
  await work.visit.ask("Where is Ostrel?");
  const answer = answerOf(page, `at-once@${exact}`);
  await answer.getByText("At the Vessen, in the hills of Harn.").waitFor();
  await answer.getByText("1 LM call").waitFor();
  expect(await answer.getByRole("heading", { level: 3 }).textContent()).toContain(exact);
});

test("two versions answer one question side by side, each with stream, history and rating of its own", async () => {
  const released = Promise.withResolvers<void>();
  await using work = await atWork(async (response, request) => {
    await released.promise;
    return answering("At the Vessen, in the hills of Harn.")(response, request);
  });
  const { page, exact } = work;
  await page.getByLabel("Side by side").check();
  expect(await page.getByLabel("Second program").inputValue()).toBe("at-once");
  expect(await page.getByLabel("Second version").inputValue()).toBe(exact);
  await work.visit.ask("Where is Ostrel?");
  const left = answerOf(page, "at-once");
  const right = answerOf(page, `at-once@${exact}`);
  await left.getByText("By a river.").waitFor();
  await left.getByRole("button", { name: "Good answer" }).click();
  await left.getByText("Saved.").waitFor();
  expect(await right.getAttribute("aria-busy")).toBe("true");
  released.resolve();
  await right.getByText("At the Vessen, in the hills of Harn.").waitFor();
  await right.getByRole("button", { name: "Bad answer" }).click();
  await right.getByText("Saved.").waitFor();
  expect(readPreferences(work.path)).toMatchObject(
    [
      { version: work.brief, completions: 1, up: 1, down: 0 },
      { version: exact, completions: 1, up: 0, down: 1 },
    ].toSorted((one, other) => (one.version < other.version ? -1 : 1)),
  );

  const widths = await Promise.all([left.boundingBox(), right.boundingBox()]);
  expect(widths[0]?.y).toBe(widths[1]?.y);
});

test("each side goes on from its own answers; one that joins later, from those of the first", async () => {
  const seen: string[] = [];
  await using lm = await upstream((response, request) => {
    seen.push(request.messages.at(-1)?.content ?? "");
    return answering(`Answer ${seen.length}.`)(response, request);
  });
  await using server = await served(lm, { adapters: [pageAdapter()] });
  await using visit = await pages.visit(server);
  const { page } = visit;
  const settled = (count: number) =>
    expect.poll(() => page.getByText("2 LM calls").count(), patience).toBe(count);
  await visit.ask("First?");
  await settled(1);
  await page.getByLabel("Side by side").check();
  await visit.ask("Second?");
  await settled(3);
  const history = (prompt = "") =>
    [...prompt.matchAll(/<turn speaker="assistant">(.*?)<\/turn>/g)].map(([, said]) => said);
  // Two calls each: what is answered is what the last of them says.
  expect(seen.slice(2).map(history)).toEqual(Array.from({ length: 4 }, () => ["Answer 2."]));
  await visit.ask("Third?");
  await settled(5);
  const histories = new Set(seen.slice(6).map((prompt) => history(prompt).join(" ")));
  expect(histories.size).toBe(2);
  for (const each of histories) expect(each).toMatch(/^Answer 2\. Answer [3-6]\.$/);
});

test("a rating is kept at once, and comment and correction when they are sent; the last word counts", async () => {
  await using work = await atWork();
  const { page, store } = work;
  await work.visit.ask("Where is Ostrel?");
  const answer = answerOf(page, "at-once");
  const [good, bad] = ["Good answer", "Bad answer"].map((name) =>
    answer.getByRole("button", { name }),
  );
  await good?.click();
  await answer.getByText("Saved. You can add details.").waitFor();
  expect([...store.rated()]).toMatchObject([
    { rating: "up", comment: null, correction: null, question: "Where is Ostrel?" },
  ]);
  expect(await good?.getAttribute("aria-pressed")).toBe("true");

  await bad?.click();
  await expect.poll(() => [...store.rated()][0]?.rating, patience).toBe("down");
  await answer.getByLabel("Comment").fill("Too brief.");
  await answer.getByLabel("What the answer should have been").fill("At the Vessen.");
  await answer.getByRole("button", { name: "Send" }).click();
  await answer.getByText("Saved. Thank you.").waitFor();
  expect([...store.rated()]).toMatchObject([
    { rating: "down", comment: "Too brief.", correction: "At the Vessen.", answer: "By a river." },
  ]);
  expect(await good?.getAttribute("aria-pressed")).toBe("false");

  const [kept] = store.rated();
  store.erase({ id: kept?.id ?? "" });
  await good?.click();
  await answer.getByText("Not saved. No answer is stored under this id").waitFor();
});

test("stopping ends both sides", async () => {
  const silent: Reply = (response) => beginStream(response);
  await using lm = await upstream(silent);
  await using server = await served(lm, { adapters: [pageAdapter()] });
  await using visit = await pages.visit(server);
  const { page } = visit;
  for (const name of ["Program", "Second program"]) {
    if (name !== "Program") await page.getByLabel("Side by side").check();
    await page.getByLabel(name, { exact: true }).selectOption("at-once");
  }
  await visit.ask("Where is Ostrel?");
  await expect.poll(() => lm.requests.length, patience).toBe(2);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => lm.givenUp(), patience).toBe(2);
  await expect.poll(() => page.getByText("Stopped. Later").count(), patience).toBe(2);
});

test("where no feedback is kept there is nothing to rate with", async () => {
  await using lm = await upstream(answering("By a river."));
  await using server = await served(lm, { adapters: [pageAdapter()] });
  await using visit = await pages.visit(server);
  await visit.ask("Where is Ostrel?");
  await answerOf(visit.page, "towns/answerer").getByText("2 LM calls").waitFor();
  expect(await visit.page.getByRole("button", { name: /answer$/ }).count()).toBe(0);
});
