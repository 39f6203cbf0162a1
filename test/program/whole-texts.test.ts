import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LanguageModel } from "espalier";
import { fromAiSdk } from "@espalier/ai-sdk";
import { agent, passages, predict, reason, signature, text, tool } from "espalier";
import { cached, callKeys, embedder, openAiCompatible, pairScorer, reranker } from "espalier/lm";
import { defaultSampling } from "espalier/lm";
import { scriptedLm } from "../support/scripted-lm.ts";

const cut = "cut \ud83d";
const mended = "cut \ufffd";
const half = /\\u(?:d[89ab][0-9a-f]{2}(?!\\ud[c-f])|d[c-f])/i;

/** A server that takes no half of a character, as strict ones do, and answers by route. */
async function strictServer(answers: readonly object[]) {
  const bodies: any[] = [];
  let chats = 0;
  const server = createServer(async (request, response) => {
    let raw = "";
    for await (const piece of request) raw += String(piece);
    const isRefused = half.test(raw);
    bodies.push(JSON.parse(raw));
    const message = answers[Math.min(chats++, answers.length - 1)] as object;
    const finish_reason = "toolCalls" in message ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.writeHead(isRefused ? 400 : 200, { "content-type": "application/json" });
    response.end(
      isRefused
        ? '{"error":{"message":"no low surrogate in string"}}'
        : JSON.stringify({
            model: "m",
            choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
            data: [{ index: 0, embedding: [1], score: 1 }],
            results: [{ index: 0, relevance_score: 1 }],
            usage,
          }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    baseUrl,
    lm: openAiCompatible({ baseUrl, model: "m" }),
    bodies,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const label = { content: '{"label":"x","reasoning":"So."}' };

describe("half of a character", () => {
  const step = signature({
    name: "step",
    instruction: `Do it, ${cut}.`,
    input: {
      question: text("question", `What is asked, ${cut}.`),
      nested: z.object({ of: z.record(z.string(), z.array(z.string())) }),
      found: passages(),
    },
    output: { label: z.string() },
  });
  const inputs = {
    question: cut,
    nested: { of: { [cut]: [cut, "\udc00"] } },
    found: [{ id: "p", title: cut, text: cut }],
  };
  const demos = [{ exampleId: "a", inputs, outputs: { label: cut } }];

  it.each([
    ["predict()", predict(step, { demos })],
    ["reason()", reason(step, { demos })],
  ])("reaches no server from inputs, demonstrations and texts of %s", async (_, made) => {
    await using server = await strictServer([label]);
    expect(await made.run(inputs, { lm: server.lm })).toMatchObject({ label: "x" });
    expect(server.bodies[0].messages).toEqual(made.render(inputs));
    expect(JSON.stringify(server.bodies[0].messages).match(/\ufffd/gu)).toHaveLength(15);
  });

  it("reaches no LM of another make, nor what a run records", async () => {
    await using server = await strictServer([label]);
    const asked: unknown[] = [];
    const lm: LanguageModel = {
      identity: server.lm.identity,
      doGenerate: (request, options) => {
        asked.push(request.messages);
        return server.lm.doGenerate(request, options);
      },
    };
    const made = predict(step);
    await made.run(inputs, { lm });
    expect(asked).toEqual([made.render(inputs)]);
    expect(JSON.stringify(asked)).not.toMatch(half);
  });

  it("comes back from no model, in an output, a stream or a call of a tool", async () => {
    const escaped = '{"label":"cut \\ud83d","reasoning":"\\ud83d\\ude42 \\\\ud83d"}';
    const pieces: string[] = [];
    await using server = await scriptedLm(() => ({ content: escaped, pieces: escaped.split("") }));
    const made = await reason(step).run(inputs, {
      lm: server.lm,
      onPartial: (outputs) => pieces.push(JSON.stringify(outputs)),
    });
    expect(made).toEqual({ label: mended, reasoning: "🙂 \\ud83d" });
    expect(pieces.at(-1)).toBe(JSON.stringify(made));
    expect(pieces.join("\n")).not.toMatch(/[^\\]\\ud83d/);
  });

  it.each(["native", "json"] as const)(
    "stays in no exchange of an agent with %s calls",
    async (calls) => {
      const given: unknown[] = [];
      const look = tool({
        name: "look",
        description: cut,
        input: { what: z.string().describe(cut) },
        run: ({ what }) => {
          given.push(what);
          return { found: [cut] };
        },
      });
      const asked = '{"what":"cut \\ud83d"}';
      const first =
        calls === "native"
          ? {
              content: cut,
              tool_calls: [
                { id: "1", type: "function", function: { name: "look", arguments: asked } },
              ],
            }
          : { content: `{"thought":"cut \\ud83d","calls":[{"tool":"look","input":${asked}}]}` };
      await using server = await strictServer([
        first,
        { content: '{"thought":"","calls":[]}' },
        label,
      ]);
      const { lm } = server;
      const answers = calls === "native" ? [first, label] : undefined;
      await using other = answers ? await strictServer(answers) : server;
      const made = agent({ signature: step, tools: [look], calls, demos });
      expect(await made.run(inputs, { lm: answers ? other.lm : lm })).toEqual({ label: "x" });
      expect(given).toEqual([mended]);
      expect(JSON.stringify(other.bodies.at(-1).messages)).toContain('found\\":[\\"cut \ufffd\\"]');
    },
  );

  it("reaches no server of embeddings, scores or ranks, nor one that is asked directly", async () => {
    await using server = await strictServer([label]);
    const { baseUrl } = server;
    await embedder({ baseUrl, model: "m" }).doEmbed([cut]);
    await pairScorer({ baseUrl, model: "m" }).doScore({ query: cut, documents: [cut] });
    await reranker({ baseUrl, model: "m" }).doRerank({
      query: cut,
      documents: [cut],
    });
    await server.lm.doGenerate({
      messages: [{ role: "user", content: [{ type: "text", text: cut }] }],
      sampling: defaultSampling,
      seed: 0,
    });
    expect(JSON.stringify(server.bodies)).toContain(mended);
  });

  it("reaches no model of the AI SDK", async () => {
    const prompts: string[] = [];
    const lm = fromAiSdk({
      specificationVersion: "v3",
      provider: "test",
      modelId: "m",
      doGenerate: async (options: { prompt: unknown }) => {
        prompts.push(JSON.stringify(options.prompt));
        return {
          content: [{ type: "text", text: label.content }],
          finishReason: { unified: "stop", raw: "stop" },
          usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
          warnings: [],
        };
      },
      doStream: () => Promise.reject(new Error("not asked")),
    });
    await lm.doGenerate({
      messages: [{ role: "user", content: cut }],
      sampling: { ...defaultSampling },
      seed: 0,
    });
    expect(prompts).toEqual([expect.stringContaining(mended)]);
  });

  it("is one text with what is sent in its place, for caches and journals", async () => {
    await using server = await strictServer([label]);
    const lm = cached(server.lm, new Map());
    const request = (content: string) => ({
      messages: [{ role: "user" as const, content }],
      sampling: defaultSampling,
      seed: 0,
    });
    for (const content of [cut, mended, "cut \udc00"]) await lm.doGenerate(request(content));
    expect(server.bodies).toHaveLength(1);
    const keyOf = callKeys(lm.identity);
    expect(keyOf(request("\\ud83d"), 0)).not.toBe(keyOf(request("\ufffd"), 0));
  });
});
