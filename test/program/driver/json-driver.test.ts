import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FormatError, LmError, passages, predict, program, signature, text } from "espalier";
import { scriptedLm } from "../../support/scripted-lm.ts";

const answer = signature({
  name: "answer",
  instruction: "answer question from passages\n- be brief: $& {{ if }}",
  input: { question: text("question", "What the user asks."), passages: passages() },
  output: {
    label: z.enum(["answerable", "unanswerable"]).describe("Whether the passages answer it."),
    answer: z
      .string()
      .describe("One sentence.")
      .refine((value) => !value.includes("http"), {
        params: { id: "no-url/1" },
        error: "must not hold a URL",
      }),
  },
});
const inputs = { question: "How tall?", passages: [{ id: "p1", text: "330 m." }] };
const outputs = { label: "answerable", answer: "330 m." };

const step = predict(answer);
const good = JSON.stringify(outputs);
const nonsense = "I would rather not say.";

describe("the JSON driver", () => {
  it("gives typed outputs in one request", async () => {
    await using server = await scriptedLm(() => good);
    expect(await step.run(inputs, { lm: server.lm })).toEqual(outputs);
    expect(server.received).toHaveLength(1);
  });

  it("renders exactly what it sends, with the instruction word for word", async () => {
    await using server = await scriptedLm(() => good);
    await step.run(inputs, { lm: server.lm });
    expect(server.received[0]?.messages).toEqual(step.render(inputs));
    expect(server.received[0]?.messages[0]?.content).toContain(`\n${answer.instruction}\n`);
  });

  it("shows demonstrations, whole and partial ones", async () => {
    const demos = [
      { exampleId: "a", inputs: { question: "Shown first?" }, outputs: { label: "answerable" } },
      {
        exampleId: "b",
        inputs: { question: "Shown second?", passages: [{ id: "x", text: "Yes." }] },
        outputs,
      },
    ];
    await using server = await scriptedLm(() => good);
    const shown = predict(answer, { demos });
    await shown.run(inputs, { lm: server.lm });
    const sent = server.received[0]?.messages ?? [];
    expect(sent).toEqual(shown.render(inputs));
    const prompt = sent.map(({ content }) => content).join("\n");
    expect(prompt).toContain("Shown first?");
    expect(prompt).toContain("Shown second?");
  });

  it("accepts empty inputs", async () => {
    await using server = await scriptedLm(() => good);
    expect(await step.run({ question: "", passages: [] }, { lm: server.lm })).toEqual(outputs);
  });

  it("sends a reply back without tokens of chat templates", async () => {
    const bad = `${nonsense} <|im_end|>`;
    await using server = await scriptedLm((_, index) => (index === 0 ? bad : good));
    await step.run(inputs, { lm: server.lm });
    const sent = JSON.stringify(server.received[1]?.messages);
    expect(sent).toContain("< |im_end|>");
    expect(sent).not.toContain("<|im_end|>");
  });

  it("corrects once, with a seed of its own, and leaves both requests in the trace", async () => {
    await using server = await scriptedLm((_, index) => (index === 0 ? nonsense : good));
    const asking = program({
      name: "asking",
      version: "1",
      input: answer.input,
      output: answer.output,
      predictors: { step },
      forward: (given, { predictors }) => predictors.step(given),
    });
    const { trace } = await asking.attempt(inputs, { lm: server.lm });
    expect(trace.output).toEqual(outputs);
    expect(trace.children).toMatchObject([{ calls: [{ rawText: nonsense }, { rawText: good }] }]);
    const [first, second] = server.received;
    expect(second?.messages.length).toBeGreaterThan(first?.messages.length ?? 0);
    expect(second?.seed).not.toBe(first?.seed);
  });

  it.each([
    ["nonsense", nonsense, /output-(unparseable|invalid)/],
    ["an unknown label", JSON.stringify({ ...outputs, label: "perhaps" }), /output-invalid/],
    [
      "a broken refinement",
      JSON.stringify({ ...outputs, answer: "See http://x.org" }),
      /output-invalid/,
    ],
    ["no content", { content: null, reasoning: "Hm." }, /output-empty/],
    ["a reply cut off", { content: good.slice(0, -4), finishReason: "length" }, /output-truncated/],
  ] as const)("makes %s a format failure in the end", async (_, reply, code) => {
    await using server = await scriptedLm(() => reply);
    const error = await thrownBy(step.run(inputs, { lm: server.lm }));
    expect(error).toSatisfy(FormatError.isInstance);
    expect((error as FormatError).code).toMatch(code);
    expect(server.received).toHaveLength(2);
  });

  it("makes no correction when it may not", async () => {
    await using server = await scriptedLm(() => nonsense);
    await thrownBy(predict(answer, { corrections: 0 }).run(inputs, { lm: server.lm }));
    expect(server.received).toHaveLength(1);
  });

  it("passes a server fault on as it is, uncorrected", async () => {
    await using server = await scriptedLm(() => ({
      status: 503,
      body: '{"error":{"message":"busy"}}',
    }));
    const error = await thrownBy(step.run(inputs, { lm: server.lm }));
    expect(error).toSatisfy(LmError.isInstance);
    expect(error).toMatchObject({ code: "lm-unavailable", isRetryable: true });
    expect(server.received).toHaveLength(1);
  });

  it("stops when it is aborted", async () => {
    await using server = await scriptedLm(() => ({ isUnanswered: true }));
    const controller = new AbortController();
    const running = thrownBy(step.run(inputs, { lm: server.lm, signal: controller.signal }));
    await expect.poll(() => server.received.length).toBe(1);
    controller.abort();
    expect(await running).toMatchObject({ name: "AbortError" });
    expect(server.received).toHaveLength(1);
  });

  it("keeps 50 concurrent calls apart", async () => {
    await using server = await scriptedLm(({ messages }, index) => {
      const question = /Question: (q\d+)/.exec(messages.at(-1)?.content ?? "")?.[1] ?? "";
      return {
        content: JSON.stringify({ label: "answerable", answer: question }),
        delayMs: (index * 13) % 17,
      };
    });
    const questions = Array.from({ length: 50 }, (_, index) => `q${index}`);
    const answers = await Promise.all(
      questions.map((question) => step.run({ question, passages: [] }, { lm: server.lm })),
    );
    expect(answers.map((made) => made.answer)).toEqual(questions);
  });
});

it.each<readonly [string, unknown]>([
  ["many bad items", Array.from({ length: 20_000 }, () => ({ n: 9 }))],
  ["a long name that no field has", [{ n: 1, ["x".repeat(100_000)]: 9 }]],
])("a reply with %s is corrected in few words", async (_, items) => {
  const counts = signature({
    name: "counts",
    instruction: "Count.",
    input: { question: text("question") },
    output: { items: z.array(z.strictObject({ n: z.int().max(5) })) },
  });
  const good = { items: [{ n: 1 }] };
  await using server = await scriptedLm((__, index) =>
    JSON.stringify(index === 0 ? { items } : good),
  );
  expect(await predict(counts).run({ question: "How many?" }, { lm: server.lm })).toEqual(good);
  const [reply, told] = server.received[1]?.messages.slice(-2) ?? [];
  expect(reply?.content.length).toBe(2_000);
  expect(told?.content.length).toBeLessThan(2_500);
  expect(told?.content).toContain("`items.0");
});

it("a correction tells the first five problems, and how many more there are", async () => {
  const counts = signature({
    name: "counts",
    instruction: "Count.",
    input: { question: text("question") },
    output: { items: z.array(z.int().max(5)) },
  });
  await using server = await scriptedLm((_, index) =>
    JSON.stringify({ items: Array.from({ length: 8 }, () => (index === 0 ? 9 : 1)) }),
  );
  await predict(counts).run({ question: "How many?" }, { lm: server.lm });
  const told = server.received[1]?.messages.at(-1)?.content ?? "";
  expect(told.match(/`items\.\d`/g)).toEqual([0, 1, 2, 3, 4].map((item) => `\`items.${item}\``));
  expect(told).toContain("; and 3 more problems. Write the whole JSON object again");
});

function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error("nothing was thrown"),
    (error: unknown) => error,
  );
}
