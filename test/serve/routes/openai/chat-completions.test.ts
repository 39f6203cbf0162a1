import { expect, test } from "vitest";
import { answering, upstream } from "../../upstream.ts";
import { asked, clientOf, served } from "../../served.ts";

test("OpenAI's client lists the models with their versions", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const { data } = await clientOf(server).models.list();
  expect(data).toMatchObject([
    { id: "towns/answerer", object: "model", owned_by: "towns", version: "declared" },
    { id: "at-once" },
  ]);
});

test("OpenAI's client gets a whole reply with addresses, contexts and the real usage", async () => {
  const begunAt = Math.floor(Date.now() / 1_000);
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const reply = await clientOf(server).chat.completions.create(asked("Where?", "towns/answerer"));
  expect(reply).toMatchObject({
    object: "chat.completion",
    model: "towns/answerer",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "There.",
          citations: ["https://a.example/1", "urn:passage:p2"],
          contexts: ["Ostrel lies at a river.", "The bridge is of iron."],
        },
        finish_reason: "stop",
      },
    ],
    // Two calls of the program at 10 and 5 tokens each.
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    metadata: { version: "declared", lm_calls: 2, ignored_messages: 0 },
  });
  expect(reply.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
  expect(reply.created).toBeGreaterThanOrEqual(begunAt);
  expect(reply.created).toBeLessThanOrEqual(Date.now() / 1_000);
});

test("OpenAI's client hears steps, pieces, citations, metadata and usage in this order", async () => {
  await using lm = await upstream(answering("There, at the river.", 6));
  await using server = await served(lm);
  const stream = await clientOf(server).chat.completions.create({
    ...asked("Where?", "towns/answerer"),
    stream: true,
    stream_options: { include_usage: true },
  });
  const kinds: string[] = [];
  let content = "";
  let reasoning = "";
  let citations: unknown;
  let usage: unknown;
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    const [choice] = chunk.choices;
    const delta = (choice?.delta ?? {}) as Record<string, unknown>;
    content += typeof delta["content"] === "string" ? delta["content"] : "";
    reasoning += typeof delta["reasoning_content"] === "string" ? delta["reasoning_content"] : "";
    citations = delta["citations"] ?? citations;
    const kind = choice?.finish_reason ?? Object.keys(delta).join("+");
    if (kinds.at(-1) !== kind) kinds.push(kind);
  }
  expect({ content, reasoning }).toEqual({
    content: "There, at the river.",
    reasoning: "Thinking\nWriting\n",
  });
  expect(kinds).toEqual([
    "role+content",
    "reasoning_content",
    "content",
    "citations",
    "metadata",
    "stop",
    "",
  ]);
  expect(citations).toEqual([
    { url: "https://a.example/1", title: "Ostrel", text: "Ostrel lies at a river.", sid: "p1" },
    { url: "urn:passage:p2", text: "The bridge is of iron.", sid: "p2" },
  ]);
  expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
});

test("the LM is asked for a stream by a client that wants one, and else for whole replies", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const { completions } = clientOf(server).chat;
  const streamed = await completions.create({ ...asked(), stream: true });
  for await (const piece of streamed) expect(piece.object).toBe("chat.completion.chunk");
  const whole = await completions.create(asked());
  expect(whole.choices[0]?.message.content).toBe("There.");
  expect(lm.requests.map(({ stream = false }) => stream)).toEqual([true, false]);
});

test("every response forbids guessing its type", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const paths = ["/v1/models", "/health", "/nowhere"];
  const responses = await Promise.all(paths.map((path) => fetch(`${server.url}${path}`)));
  const [models, , nowhere] = responses;
  expect([models?.status, nowhere?.status]).toEqual([200, 404]);
  for (const { headers } of responses) {
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("the last message of the user is the question, and what was said before is the history", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const reply = await clientOf(server).chat.completions.create({
    model: "towns/answerer",
    messages: [
      { role: "system", content: "Talk like a pirate." },
      { role: "user", content: "Tell me about Ostrel." },
      { role: "assistant", content: "It is a town." },
      {
        role: "user",
        content: [
          { type: "text", text: "Where" },
          { type: "text", text: "is it?" },
        ],
      },
    ],
  });
  const prompt = lm.requests[0]?.messages.map(({ content }) => content).join("\n") ?? "";
  expect(prompt).toContain(
    '<turn speaker="user">Tell me about Ostrel.</turn>\n<turn speaker="assistant">It is a town.</turn>',
  );
  expect(prompt).toContain("Where\nis it?");
  expect(prompt).not.toContain("pirate");
  expect(reply).toMatchObject({ metadata: { ignored_messages: 1 } });
});

test("a question is sampled anew each time, and the same with a seed", async () => {
  await using lm = await upstream(answering("There."));
  await using server = await served(lm);
  const ask = (seed?: number) =>
    clientOf(server).chat.completions.create({ ...asked(), ...(seed !== undefined && { seed }) });
  for (const seed of [undefined, undefined, 7, 7]) await ask(seed);
  const [first, second, third, fourth] = lm.requests.map(({ seed }) => seed);
  expect(first).not.toBe(second);
  expect(third).toBe(fourth);
});
