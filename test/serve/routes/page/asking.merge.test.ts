import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "espalier/lm";
import { chatModel, chatServer, citationsOf, pageAdapter, serving } from "espalier/serve";
import { expect, test } from "vitest";
import { atOnce, served } from "../../served.ts";
import type { Reply } from "../../upstream.ts";
import {
  answering,
  beginStream,
  breakingOff,
  endStream,
  sendPiece,
  upstream,
} from "../../upstream.ts";
import { answerOf, chromiumPages, patience } from "./chromium.ts";

const pages = chromiumPages();
const adapters = [pageAdapter()];

test("steps and answer are seen as they come, and read out once, when the answer is whole", async () => {
  const [writing, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using lm = await upstream(async (response, request) => {
    if (request.stream !== true) return answering("A draft.")(response, request);
    await writing.promise;
    beginStream(response);
    sendPiece(response, '{"answer": "Ostrel lies');
    await ending.promise;
    sendPiece(response, ' by the sea."}');
    endStream(response);
  });
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  await visit.ask("Where is Ostrel?");

  const { page } = visit;
  const answer = answerOf(page, "towns/answerer");
  const log = page.getByRole("log");
  await answer.getByRole("listitem").filter({ hasText: "Writing" }).waitFor();
  expect(await answer.getByRole("listitem").allTextContents()).toEqual(["Thinking", "Writing"]);
  expect(await answer.getAttribute("aria-busy")).toBe("true");

  writing.resolve();
  await answer.getByText("Ostrel lies", { exact: true }).waitFor();
  const thinking = answer.getByText("Thinking");
  expect(await thinking.isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Stop" }).isVisible()).toBe(true);
  expect(await log.textContent()).toBe("");

  ending.resolve();
  await answer.getByText("Ostrel lies by the sea.", { exact: true }).waitFor();
  await answer.getByText("2 LM calls · 20 tokens in · 10 out").waitFor();
  expect(await answer.getByRole("heading", { level: 3 }).textContent()).toContain("declared");
  expect(await answer.getAttribute("aria-busy")).toBe("false");
  expect(await log.textContent()).toBe("towns/answerer answered: Ostrel lies by the sea.");
  expect(await page.getByRole("button", { name: "Stop" }).isVisible()).toBe(false);
  await answer.getByText("2 steps").click();
  expect(await thinking.isVisible()).toBe(true);
});

test("a number in the answer leads to the text of its source", async () => {
  await using lm = await upstream(answering("A river [1], a bridge [2], both [1, 2], none [3]."));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  await visit.ask("Where is Ostrel?");
  const answer = answerOf(visit.page, "towns/answerer");
  const links = answer.getByRole("link", { name: /^Source/ });
  await links.first().waitFor();
  expect(await links.allTextContents()).toEqual(["1", "2", "1", "2"]);
  expect(await answer.textContent()).toContain("A river [1], a bridge [2], both [1, 2], none [3].");

  const passage = answer.getByText("Ostrel lies at a river.");
  expect(await passage.isVisible()).toBe(false);
  await links.first().click();
  expect(await passage.isVisible()).toBe(true);
  const focused = visit.page.locator(":focus");
  expect(await focused.textContent()).toBe("[1] Ostrel");
  const address = answer.getByRole("link", { name: "https://a.example/1" });
  expect(await address.getAttribute("rel")).toBe("noreferrer");
  // The second has no address that a browser could open.
  expect(await answer.getByRole("link", { name: /urn:/ }).count()).toBe(0);
});

test("documents that are cited come first, each once, and the others are folded", async () => {
  const of = (id: string, title: string, words: string) => ({ id, title, text: words });
  const found = [
    of("a", "Harn", "Harn lies in the hills."),
    of("b", "Ostrel", "Ostrel lies at a river."),
    of("c", "Sallow", "Sallow has a bell."),
    of("d", "Ostrel", "Its bridge is of iron."),
  ];
  const cited = serving({
    name: "towns",
    models: [
      chatModel({
        id: "at-once",
        program: atOnce,
        inputOf: ({ question }) => ({ question }),
        answerOf: ({ answer }) => ({ answer, citations: citationsOf(found) }),
      }),
    ],
  });
  await using lm = await upstream(answering("A river [2], and a bridge [4]."));
  await using server = await chatServer({ serving: cited, lm: lm.lm, drainMs: 200, adapters });
  await using visit = await pages.visit(server);
  await visit.ask("Where is Ostrel?");
  const answer = answerOf(visit.page, "at-once");
  await answer.getByText(/ s$/).waitFor();
  const summaries = answer.locator(".citations summary");
  const seen = async () => {
    const all = await summaries.all();
    const shown = await Promise.all(all.map((each) => each.isVisible()));
    const texts = await summaries.allTextContents();
    return texts.filter((_, at) => shown[at]);
  };
  expect(await seen()).toEqual(["[2, 4] Ostrel", "2 other documents"]);
  await answer.getByRole("link", { name: "Source 4" }).click();
  expect(await answer.getByText("Its bridge is of iron.").isVisible()).toBe(true);
  expect(await visit.page.locator(":focus").textContent()).toBe("[4] Its bridge is of iron.");
  await answer.getByText("2 other documents").click();
  expect((await seen()).slice(2)).toEqual(["[1] Harn", "[3] Sallow"]);
});

test.each([
  ["desktop", { viewport: { width: 1280, height: 800 } }],
  ["phone", { viewport: { width: 390, height: 664 }, hasTouch: true }],
])("on a %s it begins with what the program is for, and a click asks an example", async (_, on) => {
  await using lm = await upstream(answering("By the river."));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server, on);
  const { page } = visit;
  const start = page.getByRole("region", { name: "About this program" });
  await start.getByText("Answers questions about two towns.").waitFor();
  expect(await start.getByRole("button").allTextContents()).toEqual([
    "Where is Ostrel?",
    "Of what is the bridge?",
    "How long is the Vessen?",
  ]);
  await page.getByLabel("Program", { exact: true }).selectOption("at-once");
  expect(await start.isVisible()).toBe(false);
  await page.getByLabel("Program", { exact: true }).selectOption("towns/answerer");
  await start.getByRole("button", { name: "Of what is the bridge?" }).click();
  await answerOf(page, "towns/answerer")
    .getByText(/2 LM calls · .* · \d+[.]\d s$/)
    .waitFor();
  expect(await page.getByRole("heading", { name: "Of what is the bridge?" }).isVisible()).toBe(
    true,
  );
  expect(await start.isVisible()).toBe(false);
  await page.getByRole("button", { name: "New conversation" }).click();
  await start.waitFor();
});

test.each([
  ["desktop", { viewport: { width: 1280, height: 800 } }],
  ["phone", { viewport: { width: 390, height: 664 }, hasTouch: true }],
])("on a %s a new answer comes into view", async (_, on) => {
  const long = Array.from({ length: 60 }, (_each, at) => `Line ${at}.`).join("\n");
  await using lm = await upstream(answering(long));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server, on);
  const { page } = visit;
  const settled = (count: number) =>
    expect.poll(() => page.getByText("2 LM calls").count(), patience).toBe(count);
  const topOf = (question: string) =>
    page
      .getByRole("heading", { name: question })
      .evaluate((heading) => Math.round(heading.getBoundingClientRect().top));
  await visit.ask("First?");
  await settled(1);
  await visit.ask("Second?");
  await settled(2);
  expect(await topOf("Second?")).toBeGreaterThanOrEqual(0);
  expect(await topOf("Second?")).toBeLessThan(60);
  expect(await page.getByText("Line 0.").last().isVisible()).toBe(true);
});

test("who scrolls away while an answer is written stays there", async () => {
  const long = Array.from({ length: 60 }, (_, at) => `Line ${at}.`).join("\n");
  const ending = Promise.withResolvers<void>();
  await using lm = await upstream(async (response, request) => {
    if (!JSON.stringify(request.messages).includes("Second?"))
      return answering(long)(response, request);
    beginStream(response);
    sendPiece(response, '{"answer": "It begins');
    await ending.promise;
    sendPiece(response, ' and ends."}');
    endStream(response);
  });
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server, { viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await page.getByLabel("Program", { exact: true }).selectOption("at-once");
  await visit.ask("First?");
  await page.getByText("1 LM call").waitFor();
  await visit.ask("Second?");
  await page.getByText("It begins").waitFor();
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, -10_000);
  const scrolled = () => page.evaluate<number>("Math.round(scrollY)");
  await expect.poll(scrolled, patience).toBe(0);
  ending.resolve();
  await page.getByText("It begins and ends.", { exact: true }).waitFor({ state: "attached" });
  await expect.poll(() => page.getByText("1 LM call").count(), patience).toBe(2);
  expect(await scrolled()).toBe(0);
});

test("a second program leaves earlier answers as wide as they were", async () => {
  await using lm = await upstream(answering("By the river [1]."));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server, { viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await visit.ask("First?");
  await page.getByText("2 LM calls").waitFor();
  const width = async () => (await page.getByRole("article").first().boundingBox())?.width;
  const before = await width();
  await page.getByLabel("Side by side").check();
  expect(await width()).toBe(before);
  await page.getByLabel("Second program").selectOption("at-once");
  await visit.ask("Second?");
  await expect.poll(() => page.getByText(/LM calls?/).count(), patience).toBe(3);
  expect(await width()).toBe(before);
  // Each is as high as its own text.
  const [long, short] = await Promise.all(
    [1, 2].map((at) => page.getByRole("article").nth(at).boundingBox()),
  );
  expect(long?.height ?? 0).toBeGreaterThan(short?.height ?? 0);
});

test("a further question takes what was said along, a new conversation does not", async () => {
  await using lm = await upstream(answering("By the river Vessen."));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  const { page } = visit;
  const settled = (count: number) =>
    expect.poll(() => page.getByText("2 LM calls").count(), patience).toBe(count);
  const prompt = () =>
    lm.requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join("\n");

  await visit.ask("Where is Ostrel?");
  await settled(1);
  expect(prompt()).not.toContain("Vessen");
  await visit.ask("How long is it?");
  await settled(2);
  expect(prompt()).toContain(
    '<turn speaker="user">Where is Ostrel?</turn>\n<turn speaker="assistant">By the river Vessen.</turn>',
  );

  await page.getByRole("button", { name: "New conversation" }).click();
  expect(await page.getByRole("article").count()).toBe(0);
  await visit.ask("And Harn?");
  await settled(1);
  expect(prompt()).not.toMatch(/Ostrel|Vessen/);
});

test("stopping ends the request to the language model, and what was stopped is no part of the history", async () => {
  let replies = 0;
  const reply: Reply = (response, request) => {
    replies += 1;
    if (replies > 1) return answering("By the sea.")(response, request);
    beginStream(response);
    sendPiece(response, '{"answer": "Half of it');
  };
  await using lm = await upstream(reply);
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  const { page } = visit;
  await page.getByLabel("Program", { exact: true }).selectOption("at-once");
  await visit.ask("Where is Ostrel?");
  const answer = answerOf(page, "at-once");
  await answer.getByText("Half of it").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await answer.getByText("Stopped.").waitFor();
  await expect.poll(() => lm.givenUp(), patience).toBe(1);
  expect(await answer.getByText("Half of it").isVisible()).toBe(true);
  expect(await page.locator(":focus").getAttribute("id")).toBe("question");

  await page.getByLabel("Program", { exact: true }).selectOption("towns/answerer");
  await visit.ask("And Harn?");
  await answerOf(page, "towns/answerer").getByText("By the sea.").waitFor();
  const prompt = () => JSON.stringify(lm.requests.at(-1)?.messages);
  expect(prompt()).not.toMatch(/Half of it|Where is Ostrel/);

  await answer.getByRole("button", { name: "Ask again" }).click();
  await answer.getByText("By the sea.").waitFor();
  expect(await page.getByRole("article").count()).toBe(2);
  await visit.ask("And Sallow?");
  await expect.poll(prompt, patience).toMatch(/Where is Ostrel.*By the sea.*And Harn/);
});

test("an answer that is begun anew takes the place of what stood there", async () => {
  const breaking = Promise.withResolvers<void>();
  const later = answering("At the ford, as the chronicle has it.");
  await using lm = await upstream(
    breakingOff('{"answer": "By the river Vessen', { cut: breaking.promise, later }),
  );
  const twice = connect({ baseUrl: lm.url, model: "scripted", retry: { attempts: 2 } });
  await using server = await served(lm, { adapters, lm: twice });
  await using visit = await pages.visit(server);
  await visit.page.getByLabel("Program", { exact: true }).selectOption("at-once");
  await visit.ask("Where is Ostrel?");
  const answer = answerOf(visit.page, "at-once");
  await answer.getByText("By the river Vessen", { exact: true }).waitFor();
  breaking.resolve();
  await answer.getByText("LM call").waitFor();
  expect(await answer.locator(".text").textContent()).toBe("At the ford, as the chronicle has it.");
});

test("a proxy may give the page a path of its own", async () => {
  await using lm = await upstream(answering("By the river."));
  await using server = await served(lm, { adapters });
  const proxy = createServer((incoming, response) => {
    const path = incoming.url?.replace(/^\/lms\/towns\//, "/") ?? "";
    const { method, headers } = incoming;
    const forwarded = request(server.url + path, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  const { port } = proxy.address() as AddressInfo;
  await using visit = await pages.visit({ url: `http://127.0.0.1:${port}/lms/towns` });
  await visit.ask("Where is Ostrel?");
  await answerOf(visit.page, "towns/answerer").getByText("2 LM calls").waitFor();
  proxy.closeAllConnections();
  proxy.close();
});

test("the keyboard alone is enough", async () => {
  await using lm = await upstream(answering("By the river [1]."));
  await using server = await served(lm, { adapters });
  await using visit = await pages.visit(server);
  const { page } = visit;
  const { keyboard } = page;
  const focused = () => page.locator(":focus");
  await expect.poll(() => focused().getAttribute("id"), patience).toBe("question");
  await keyboard.type("Where is");
  await keyboard.press("Shift+Enter");
  await keyboard.type("Ostrel?");
  await keyboard.press("Enter");
  const answer = answerOf(page, "towns/answerer");
  await answer.getByText("2 LM calls").waitFor();
  expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toBe(
    "Where is\nOstrel?",
  );
  expect(await focused().getAttribute("id")).toBe("question");
  // Backwards from the question: the sources, then the number in the answer.
  for (const name of ["1 other document", "[1] Ostrel", "1"]) {
    await keyboard.press("Shift+Tab");
    expect(await focused().textContent()).toBe(name);
  }
  await keyboard.press("Enter");
  expect(await answer.getByText("Ostrel lies at a river.").isVisible()).toBe(true);
  await keyboard.press("Enter");
  expect(await answer.getByText("Ostrel lies at a river.").isVisible()).toBe(false);

  await page.getByLabel("Program", { exact: true }).focus();
  await keyboard.press("ArrowDown");
  await keyboard.press("Tab");
  expect(await focused().getAttribute("id")).toBe("version-1");
  await keyboard.press("Tab");
  await keyboard.press("Space");
  expect(await page.getByLabel("Second program").isVisible()).toBe(true);
});
