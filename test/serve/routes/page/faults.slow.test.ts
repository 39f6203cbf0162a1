import { chatModel, apiKeysInClear, pageAdapter, serving } from "espalier/serve";
import { expect, test } from "vitest";
import { atOnce, served } from "../../served.ts";
import { answering, beginStream, breakingOff, upstream } from "../../upstream.ts";
import { answerOf, chromiumPages, patience } from "./chromium.ts";

const pages = chromiumPages();
const adapters = [pageAdapter()];
const key = "esp-0123456789abcdefghijklmnopqrstuv";

test("a server with keys asks for one, says that a wrong one is wrong, and forgets the right one when told", async () => {
  await using lm = await upstream(answering("By a river."));
  await using server = await served(lm, { adapters, keys: apiKeysInClear(key, "test") });
  await using visit = await pages.visit(server);
  const { page } = visit;
  const dialog = page.getByRole("dialog", { name: "This server requires a key" });
  await dialog.waitFor();
  const field = dialog.getByLabel("Key");
  expect(await field.getAttribute("type")).toBe("password");
  await page.keyboard.type("wrong-key");
  await page.keyboard.press("Enter");
  await dialog.getByText("The key is not valid for this server.").waitFor();
  expect(await field.inputValue()).toBe("");
  await page.keyboard.type(key);
  await page.keyboard.press("Enter");
  await visit.ask("Where is Ostrel?");
  await answerOf(page, "towns/answerer").getByText("2 LM calls").waitFor();

  const { cookies, origins } = await page.context().storageState();
  expect([cookies, origins]).toEqual([[], []]);
  expect(page.url()).toBe(`${server.url}/`);
  await page.reload();
  await page
    .getByLabel("Program", { exact: true })
    .getByRole("option")
    .first()
    .waitFor({ state: "attached" });
  expect(await dialog.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Forget key" }).click();
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  const problem = page.getByRole("alert").filter({ hasText: "requires a key" });
  await problem.waitFor();
  await problem.getByRole("button", { name: "Try again" }).click();
  await dialog.waitFor();
});

test("a key that is withdrawn in the middle of a conversation is asked for again, and the question with it", async () => {
  const keys = apiKeysInClear(key, "test");
  let known = keys;
  await using lm = await upstream(answering("By a river."));
  await using server = await served(lm, {
    adapters,
    keys: { names: keys.names, nameOf: (authorization) => known.nameOf(authorization) },
  });
  await using visit = await pages.visit(server);
  const { page } = visit;
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key").fill(key);
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await expect
    .poll(() => page.getByRole("button", { name: "Ask", exact: true }).isEnabled(), patience)
    .toBe(true);
  const other = key.toUpperCase();
  known = apiKeysInClear(other, "test");
  await visit.ask("Where is Ostrel?");
  await dialog.getByText("The key is not valid for this server.").waitFor();
  await dialog.getByLabel("Key").fill(other);
  await page.keyboard.press("Enter");
  await answerOf(page, "towns/answerer").getByText("2 LM calls").waitFor();
});

test("a fault in the middle of a stream is told beneath what came before it, and can be tried again", async () => {
  const dying = Promise.withResolvers<void>();
  const later = answering("By a river.");
  await using lm = await upstream(breakingOff('{"answer": "By the', { cut: dying.promise, later }));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  const { page } = visit;
  await page.getByLabel("Program", { exact: true }).selectOption("at-once");
  await visit.ask("Where is Ostrel?");
  const answer = answerOf(page, "at-once");
  await answer.getByText("By the", { exact: true }).waitFor();
  dying.resolve();
  await answer.getByText("No connection to the server could be made or kept.").waitFor();
  expect(await answer.textContent()).toMatch(/By the.*Try again shortly.*lm_unreachable/);
  await answer.getByRole("button", { name: "Ask again" }).click();
  await answer.getByText("By a river.").waitFor();
  expect(await page.getByText("lm_unreachable").count()).toBe(0);
});

test("a server that is busy is told with the time to come back", async () => {
  await using lm = await upstream((response) => beginStream(response));
  await using server = await served(lm, { adapters, concurrency: 1, queue: 0 });
  await using first = await pages.visit(server);
  await first.ask("Where is Ostrel?");
  await expect.poll(() => lm.requests.length, patience).toBe(1);
  await using second = await pages.visit(server);
  await second.ask("Where is Ostrel?");
  const answer = answerOf(second.page, "towns/answerer");
  await answer.getByText("The server has too many requests in its queue.").waitFor();
  expect(await answer.textContent()).toMatch(/Try again in \d+ s\. server_busy/);
});

test("a server that cannot be reached is told as such", async () => {
  await using lm = await upstream(answering("By a river."));
  const server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  await expect
    .poll(() => visit.page.getByRole("button", { name: "Ask", exact: true }).isEnabled(), patience)
    .toBe(true);
  await server.stop();
  await visit.ask("Where is Ostrel?");
  const answer = answerOf(visit.page, "towns/answerer");
  await answer.getByText("The server cannot be reached.").waitFor();
});

test("what models and documents say stays text", async () => {
  const image = '<img src="x" onerror="document.title = 1"><script>document.title = 2</script>';
  await using lm = await upstream(answering(`It is ${image} [1].`));
  const hostile = serving({
    name: "hostile",
    models: [
      chatModel({
        id: "at-once",
        program: atOnce,
        inputOf: ({ question }) => ({ question }),
        answerOf: ({ answer }) => ({
          answer,
          citations: [
            { url: "javascript:document.title=3", title: image, text: image, sid: "p1" },
            { url: "data:text/html,<b>", text: `${image}${image}`, sid: "p2" },
          ],
        }),
      }),
    ],
  });
  await using server = await served(lm, {
    adapters: [pageAdapter({ notice: image })],
    serving: hostile,
  });
  await using visit = await pages.visit(server);
  const { page } = visit;
  await visit.ask(image);
  const answer = answerOf(page, "at-once");
  await answer.getByText("1 LM call").waitFor();
  await answer.getByRole("link", { name: "Source 1" }).click();
  expect(await answer.locator(".text").textContent()).toBe(`It is ${image} [1].`);
  expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toBe(image);
  expect(await page.locator("img, script:not([src]), b").count()).toBe(0);
  const links = await answer.getByRole("link").all();
  expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual([
    "#answer-1-1",
  ]);
  expect(await page.title()).toBe("hostile");
});
