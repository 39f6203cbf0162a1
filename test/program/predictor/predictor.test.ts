import { describe, expect, it } from "vitest";
import { z } from "zod";
import { FormatError, LmError, passages, predict, reason, signature, text } from "espalier";
import { jsonSchemaOf } from "../../../src/signature/index.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const answer = signature({
  name: "answer",
  instruction: "answer the question from the passages",
  input: { question: text("question", "What the user asks."), passages: passages() },
  output: {
    label: z.enum(["answerable", "unanswerable"]).describe("Whether the passages answer it."),
    answer: text("answer", "One sentence.", { max: 40 }),
  },
});
const inputs = { question: "How tall?", passages: [{ id: "p1", title: "Tower", text: "330 m." }] };
/** Different words. */
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `w${index} `).join("");
const good = JSON.stringify({ label: "answerable", answer: "330 m." });

describe("predict", () => {
  it("asks once, constrained by the fields' JSON schema, and gives typed outputs", async () => {
    await using server = await scriptedLm(() => good);
    const outputs = await predict(answer).run(inputs, { lm: server.lm });
    expect(outputs).toEqual({ label: "answerable", answer: "330 m." });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.response_format?.json_schema).toMatchObject({
      name: "answer",
      schema: { required: ["label", "answer"], additionalProperties: false },
    });
  });

  it("sends every sampling parameter and a seed that depends on run, example and repetition", async () => {
    await using server = await scriptedLm(() => good);
    const step = predict(answer, { sampling: { temperature: 0.4, maxCompletionTokens: 77 } });
    const lm = server.lm;
    for (const options of [{}, {}, { seed: 1 }, { exampleId: "e1" }, { repetition: 1 }]) {
      await step.run(inputs, { lm, ...options });
    }
    expect(server.received[0]).toMatchObject({
      temperature: 0.4,
      top_p: 1,
      max_completion_tokens: 77,
      presence_penalty: 0,
      frequency_penalty: 0,
    });
    const seeds = server.received.map(({ seed }) => seed);
    expect(seeds[0]).toBe(seeds[1]);
    expect(new Set(seeds).size).toBe(4);
  });

  it("gives the same seed to another instruction, so that candidates meet the same luck", async () => {
    await using server = await scriptedLm(() => good);
    await predict(answer).run(inputs, { lm: server.lm });
    await predict(answer, { instruction: "Answer briefly." }).run(inputs, { lm: server.lm });
    expect(server.received[0]?.seed).toBe(server.received[1]?.seed);
  });

  it("shows the model its unusable reply and what is wrong with it, once", async () => {
    await using server = await scriptedLm((_, index) => (index === 0 ? '{"label":"maybe"}' : good));
    const outputs = await predict(answer).run(inputs, { lm: server.lm });
    expect(outputs.label).toBe("answerable");
    expect(server.received[1]?.messages.slice(-2)).toMatchInlineSnapshot(`
      [
        {
          "content": "{"label":"maybe"}",
          "role": "assistant",
        },
        {
          "content": "That reply could not be used. The reply breaks the rules of its fields: \`label\`: Invalid option: expected one of "answerable"|"unanswerable"; \`answer\`: Invalid input: expected string, received undefined. Write the whole JSON object again, with every required field, and nothing else.",
          "role": "user",
        },
      ]
    `);
    expect(server.received[1]?.seed).not.toBe(server.received[0]?.seed);
  });

  it.each([
    ["output-unparseable", "I would say it is 330 m tall."],
    ["output-unparseable", "[1, 2]"],
    [
      "output-invalid",
      '{"label":"answerable","answer":"It is three hundred and thirty metres tall, they say."}',
    ],
    ["output-invalid", '{"label":"answerable"}'],
    ["output-empty", { content: null, reasoning: "Let me think" }],
    ["output-empty", "  "],
    ["output-truncated", { content: '{"label":"answ', finishReason: "length" }],
    ["output-truncated", { content: good, finishReason: "length" }],
  ] as const)("fails as %s when the correction does not help either", async (code, reply) => {
    await using server = await scriptedLm(() => reply);
    const failure = await predict(answer)
      .run(inputs, { lm: server.lm })
      .catch((error: unknown) => error);
    expect(failure).toSatisfy(FormatError.isInstance);
    expect(failure).toMatchObject({ code, kind: "format" });
    expect(server.received).toHaveLength(2);
  });

  it("reads raw line breaks and tabs inside of strings", async () => {
    await using server = await scriptedLm(
      () => '{"label":"answerable","answer":"It is\n\t330 m."}',
    );
    const outputs = await predict(answer).run(inputs, { lm: server.lm });
    expect(outputs).toMatchObject({ answer: "It is\n\t330 m." });
  });

  it("caps a reply by the longest outputs where no thinking takes tokens", async () => {
    const { label } = answer.output;
    const labels = { ...answer, output: { label, sure: z.int(), tags: z.array(label).max(4) } };
    const cap = (step: { readonly settings: { readonly sampling: object } }) =>
      step.settings.sampling;
    const small = predict(signature(labels), { thinking: false });
    await using server = await scriptedLm(() => '{"label":"answerable","sure":1,"tags":[]}');
    await small.run(inputs, { lm: server.lm });
    const most = server.received[0]?.max_completion_tokens ?? 0;
    const longest = {
      label: "unanswerable",
      sure: Number.MIN_SAFE_INTEGER,
      tags: Array(4).fill("unanswerable"),
    };
    const bytes = Buffer.byteLength(JSON.stringify(longest, null, 2));
    expect(most).toBeGreaterThan(bytes);
    expect(most).toBeLessThan(4_096);
    const usual = { maxCompletionTokens: 4_096 };
    expect(cap(predict(signature(labels)))).toMatchObject(usual);
    expect(cap(predict(signature(labels), { thinking: true }))).toMatchObject(usual);
    const free = signature({ ...answer, output: { label, why: text("why") } });
    expect(cap(predict(free, { thinking: false }))).toMatchObject(usual);
    const sampling = { maxCompletionTokens: 9 };
    expect(cap(predict(signature(labels), { thinking: false, sampling }))).toMatchObject(sampling);
  });

  it("takes a reply that ends before its token limit for a full context, which no correction mends", async () => {
    const usage = { prompt_tokens: 4_000, completion_tokens: 96, total_tokens: 4_096 };
    const body = JSON.stringify({
      model: "m",
      choices: [{ index: 0, message: { content: '{"label":"ans' }, finish_reason: "length" }],
      usage,
    });
    await using server = await scriptedLm(() => ({ body }));
    await expect(predict(answer).run(inputs, { lm: server.lm })).rejects.toMatchObject({
      code: "lm-context-overflow",
      message: expect.stringContaining("the model's context is full"),
    });
    expect(server.received).toHaveLength(1);
  });

  it("names the server's option where white space fills the reply", async () => {
    const content = `{"label":${" ".repeat(40)}`;
    await using server = await scriptedLm(() => ({ content, finishReason: "length" }));
    await expect(
      predict(answer, { corrections: 0 }).run(inputs, { lm: server.lm }),
    ).rejects.toMatchObject({
      code: "output-truncated",
      message: expect.stringContaining("--structured-outputs-config"),
    });
  });

  const looped = [
    ["a phrase", '{"label":"answerable","answer":"It is', " a gift, which is", 20],
    ["a letter", '{"answer":"', "a", 100],
    ["lines and quotes", '{"answer":"', '\\n\\"Yes.\\"', 30],
    ["characters of two units", '{"answer":"', "🙂🦉", 60],
  ] as const;

  it.each(looped)("names what a cut reply repeated: %s", async (_, start, piece, times) => {
    for (const cut of [piece, Array.from(piece).slice(0, -1).join("")]) {
      const content = `${start}${piece.repeat(times)}${cut}`;
      await using server = await scriptedLm(() => ({ content, finishReason: "length" }));
      const step = predict(answer, { corrections: 0 });
      const error = (await thrownBy(() => step.run(inputs, { lm: server.lm }))) as FormatError;
      expect(error.code).toBe("output-truncated");
      const told = /the model repeated (".*")[.] Expected/.exec(error.message)?.[1] ?? "null";
      const named = JSON.parse(told) as string;
      expect(named).toHaveLength(piece.length);
      expect(piece.repeat(3)).toContain(named);
      expect(error.message).toContain("`repetitionPenalty`");
    }
  });

  it("asks anew after a loop, with a penalty on what is repeated, and does not show the loop", async () => {
    const replies = [
      { content: `{"label":"${"a gift, ".repeat(40)}`, finishReason: "length" },
      '{"label":"answerable","answer":"In 1871."}',
    ] as const;
    await using server = await scriptedLm((_, index) => replies[index] ?? "");
    const outputs = await predict(answer).run(inputs, { lm: server.lm });
    expect(outputs).toMatchObject({ answer: "In 1871." });
    const [first, second] = server.received;
    expect(second?.messages).toEqual(first?.messages);
    expect([first, second].map((request) => request?.["frequency_penalty"])).toEqual([0, 0.5]);
    // The server was not examined: lengths may cost its grammar the escapes, and come last.
    const hasLengths = (request: object | undefined) =>
      JSON.stringify(request).includes("maxLength");
    expect([first, second].map(hasLengths)).toEqual([false, true]);
  });

  it.each([
    ["what the server calls one", { content: '{"label":" \u{1f980}', finish_reason: "repetition" }],
    [
      "one in the thoughts",
      { content: null, reasoning: "a gift, ".repeat(40), finish_reason: "length" },
    ],
  ])("takes for a loop %s", async (_, { finish_reason, ...message }) => {
    const looped = JSON.stringify({ model: "m", choices: [{ index: 0, message, finish_reason }] });
    const good = '{"label":"answerable","answer":"In 1871."}';
    await using server = await scriptedLm((_, index) => (index === 0 ? { body: looped } : good));
    await predict(answer).run(inputs, { lm: server.lm });
    const [first, second] = server.received;
    expect(second?.messages).toEqual(first?.messages);
    expect(second?.["frequency_penalty"]).toBe(0.5);
  });

  it("says what the loop was where the server takes no penalty", async () => {
    await using server = await scriptedLm((_, index) =>
      index === 0
        ? { content: `{"label":"${"a gift, ".repeat(40)}`, finishReason: "length" }
        : { status: 400, body: '{"error":{"message":"frequency_penalty must be 0"}}' },
    );
    await expect(predict(answer).run(inputs, { lm: server.lm })).rejects.toMatchObject({
      code: "output-truncated",
      message: expect.stringContaining("the model repeated"),
    });
    expect(server.received).toHaveLength(2);
  });

  it("shows a loop that the highest penalty did not end, and what is wrong with it", async () => {
    await using server = await scriptedLm((_, index) =>
      index === 0
        ? { content: `{"label":"${"a gift, ".repeat(40)}`, finishReason: "length" }
        : '{"label":"answerable","answer":"In 1871."}',
    );
    const sampling = { frequencyPenalty: 2 };
    await predict(answer, { sampling }).run(inputs, { lm: server.lm });
    const [first, second] = server.received;
    expect(second?.messages).toHaveLength((first?.messages.length ?? 0) + 2);
  });

  it("blames a loop on the model where it ended before the token limit, too", async () => {
    const body = JSON.stringify({
      model: "m",
      choices: [{ index: 0, message: { content: "12.".repeat(90) }, finish_reason: "length" }],
      usage: { prompt_tokens: 4_000, completion_tokens: 96, total_tokens: 4_096 },
    });
    await using server = await scriptedLm(() => ({ body }));
    await expect(predict(answer).run(inputs, { lm: server.lm })).rejects.toMatchObject({
      code: "output-truncated",
      message: expect.stringContaining('the model repeated "12."'),
    });
  });

  it.each([
    ["words", `{"answer":"${words(400)}`, "length"],
    ["three times the same", `{"answer":"${words(40).repeat(3)}`, "length"],
    ["a ruler", `{"answer":"${words(40)}${"=".repeat(60)}`, "length"],
    ["what was not cut", "no JSON ".repeat(90), "stop"],
  ] as const)("calls no loop: %s", async (_, content, finishReason) => {
    await using server = await scriptedLm(() => ({ content, finishReason }));
    const step = predict(answer, { corrections: 0 });
    const { message } = await thrownBy(() => step.run(inputs, { lm: server.lm }));
    expect(message).not.toContain("repeated");
  });

  it("makes no correction when it may not", async () => {
    await using server = await scriptedLm(() => "no JSON");
    await expect(
      predict(answer, { corrections: 0 }).run(inputs, { lm: server.lm }),
    ).rejects.toMatchObject({
      code: "output-unparseable",
      rawText: "no JSON",
    });
    expect(server.received).toHaveLength(1);
  });

  it("does not correct a server fault", async () => {
    await using server = await scriptedLm(() => ({
      status: 503,
      body: '{"error":{"message":"busy"}}',
    }));
    const failure = await predict(answer)
      .run(inputs, { lm: server.lm })
      .catch((error: unknown) => error);
    expect(failure).toSatisfy(LmError.isInstance);
    expect(failure).toMatchObject({ code: "lm-unavailable", isRetryable: true });
    expect(server.received).toHaveLength(1);
  });

  it("reads JSON after thoughts, and with words, tags or a code fence around it", async () => {
    const replies = [
      `\`\`\`json\n${good}\n\`\`\``,
      `<think>It is {330}.</think>\n${good}`,
      `<output_fields>\n${good}\n</output_fields>`,
      `Here is the answer:\n\n\`\`\`\n${good}\n\`\`\`\nI hope that this helps.`,
    ];
    await using server = await scriptedLm((_, index) => replies[index] ?? "");
    for (const _ of replies) {
      expect((await predict(answer).run(inputs, { lm: server.lm })).answer).toBe("330 m.");
    }
  });

  it.each([`<think>It may be ${good}, or not`, `[${good}]`, `I am not sure whether ${good} fits.`])(
    "takes no object for the answer that is a part of something else: %s",
    async (reply) => {
      await using server = await scriptedLm(() => reply);
      await expect(predict(answer).run(inputs, { lm: server.lm })).rejects.toMatchObject({
        code: "output-unparseable",
      });
    },
  );

  it("refuses inputs that do not fit before any call", async () => {
    await using server = await scriptedLm(() => good);
    const call = predict(answer).run({ question: "q", passages: ["text"] } as never, {
      lm: server.lm,
    });
    await expect(call).rejects.toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: The inputs of signature "answer" do not match its fields: \`passages.0\`: expected object, received string (at call path "answer"). Expected: fields \`question\`, \`passages\`.]`,
    );
    expect(server.received).toHaveLength(0);
  });
});

describe("reason", () => {
  it("asks for a reasoning before the outputs", async () => {
    await using server = await scriptedLm(() =>
      JSON.stringify({ reasoning: "The passage says so.", label: "answerable", answer: "330 m." }),
    );
    const outputs = await reason(answer).run(inputs, { lm: server.lm });
    expect(outputs.reasoning).toBe("The passage says so.");
    expect(Object.keys(outputs)).toEqual(["reasoning", "label", "answer"]);
  });

  it("says how long it may be, and has the schema stop it, but reads a longer one", async () => {
    const reasoning = "So. ".repeat(900);
    await using server = await scriptedLm(() =>
      JSON.stringify({ reasoning, label: "answerable", answer: "330 m." }),
    );
    const outputs = await reason(answer).run(inputs, { lm: server.lm });
    expect(outputs.reasoning).toBe(reasoning);
    expect(server.received[0]?.messages[0]?.content).toContain("in at most 100 words.");
    expect(jsonSchemaOf(reason(answer).signature.fields.output)["properties"]).toMatchObject({
      reasoning: { maxLength: 2_000 },
    });
  });

  it("refuses a signature that already has a field of that name", () => {
    const taken = signature({
      ...answer,
      output: { reasoning: text("thought"), ...answer.output },
    });
    expect(() => reason(taken)).toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: \`reason()\` adds an output \`reasoning\`, but the signature already has that field (at signature "answer"). Rename that field, or use \`predict()\`.]`,
    );
  });
});
