import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contract/index.ts";
import type { RehearsalServer } from "../src/index.ts";
import { serveRehearsal } from "../src/index.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    answer: { type: "string", description: "The answer." },
    label: { type: "string", enum: ["yes", "no"], description: "Whether it is answered." },
  },
  required: ["answer", "label"],
  additionalProperties: false,
};
const messages = [
  { role: "system" as const, content: "Answer the question." },
  {
    role: "user" as const,
    content: "Which ferry goes to Norvik? The ferry to Norvik is the Heron.",
  },
];
const response_format = {
  type: "json_schema" as const,
  json_schema: { name: "reply", schema, strict: true },
};

let server: RehearsalServer;
let client: OpenAI;

beforeAll(async () => {
  server = await serveRehearsal({ reportsCachedTokens: true, maxModelLength: 2_000 });
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
});

afterAll(() => server.stop());

describe("chat completions", () => {
  it.each(["anyOf", "prefixItems"])(
    "end where %s doubles with each definition",
    async (keyword) => {
      const link = (level: number) => ({ $ref: `#/$defs/x${level}` });
      const links = Array.from({ length: 60 }, (_, level) => [
        `x${level}`,
        { [keyword]: [link(level + 1), link(level + 1)] },
      ]);
      const doubling = {
        $defs: { ...Object.fromEntries(links), x60: { type: "string" } },
        type: "object",
        properties: { answer: link(0) },
      };
      const reply = await client.chat.completions.create({
        model: "rehearsal",
        messages,
        response_format: { type: "json_schema", json_schema: { name: "reply", schema: doubling } },
      });
      expect(JSON.parse(reply.choices[0]?.message.content ?? "")).toHaveProperty("answer");
    },
  );

  it("follow a JSON schema", async () => {
    const reply = await client.chat.completions.create({
      model: "rehearsal",
      messages,
      response_format,
      temperature: 0,
      seed: 1,
    });
    const [choice] = reply.choices;

    expect(Object.keys(JSON.parse(choice?.message.content ?? "") as object)).toEqual([
      "answer",
      "label",
    ]);
    expect(choice?.finish_reason).toBe("stop");
    expect(reply.usage?.total_tokens).toBe(
      (reply.usage?.prompt_tokens ?? 0) + (reply.usage?.completion_tokens ?? 0),
    );
  });

  it("are an object when any JSON is asked, and text when nothing is", async () => {
    const asked = { model: "rehearsal", messages, temperature: 0 };
    const object = await client.chat.completions.create({
      ...asked,
      response_format: { type: "json_object" },
    });
    const text = await client.chat.completions.create(asked);

    expect(JSON.parse(object.choices[0]?.message.content ?? "")).toBeTypeOf("object");
    expect(text.choices[0]?.message.content).toContain("Norvik");
  });

  it("stream the same content, with usage last", async () => {
    const asked = { model: "rehearsal", messages, response_format, temperature: 0, seed: 1 };
    const whole = await client.chat.completions.create(asked);
    const stream = await client.chat.completions.create({
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    });
    let content = "";
    const usages: unknown[] = [];
    for await (const { choices, usage } of stream) {
      content += choices[0]?.delta.content ?? "";
      usages.push(usage);
    }

    expect(content).toBe(whole.choices[0]?.message.content);
    expect(usages.length).toBeGreaterThan(5);
    expect(usages.slice(0, -1).every((usage) => usage === null)).toBe(true);
    expect(usages.at(-1)).toMatchObject({ completion_tokens: whole.usage?.completion_tokens });
  });

  it("report log-probabilities that add up over the labels and join to the content", async () => {
    const reply = await client.chat.completions.create({
      model: "rehearsal",
      messages,
      response_format,
      temperature: 0,
      logprobs: true,
      top_logprobs: 4,
    });
    const tokens = reply.choices[0]?.logprobs?.content ?? [];
    const choice = tokens.filter(({ top_logprobs: top }) => top.length > 1);
    const total = choice[0]?.top_logprobs.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);

    expect(tokens.map(({ token }) => token).join("")).toBe(reply.choices[0]?.message.content);
    expect(tokens.length).toBe(reply.usage?.completion_tokens);
    expect(choice.length).toBe(1);
    expect(choice[0]?.top_logprobs.map(({ token }) => token).toSorted()).toEqual(["no", "yes"]);
    expect(total).toBeCloseTo(1, 6);
  });

  it("give n choices, the first as if it were alone", async () => {
    const asked = { model: "rehearsal", messages, response_format, temperature: 1, seed: 5 };
    const one = await client.chat.completions.create(asked);
    const three = await client.chat.completions.create({ ...asked, n: 3 });

    expect(three.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(three.choices[0]?.message.content).toBe(one.choices[0]?.message.content);
  });

  it("stop at the token limit and before a stop text", async () => {
    const asked = { model: "rehearsal", messages, temperature: 0 };
    const cut = await client.chat.completions.create({ ...asked, max_completion_tokens: 2 });
    const stopped = await client.chat.completions.create({ ...asked, stop: ["Norvik"] });

    expect(cut.choices[0]?.finish_reason).toBe("length");
    expect(cut.usage?.completion_tokens).toBe(2);
    expect(stopped.choices[0]?.finish_reason).toBe("stop");
    expect(stopped.choices[0]?.message.content).not.toContain("Norvik");
  });

  it("count a repeated prefix as cached, in full blocks", async () => {
    const long = [...messages, { role: "user" as const, content: "One more word. ".repeat(40) }];
    const cachedIn = async (): Promise<number> =>
      (await client.chat.completions.create({ model: "rehearsal", messages: long })).usage
        ?.prompt_tokens_details?.cached_tokens ?? -1;
    const first = await cachedIn();
    const second = await cachedIn();

    expect(first % 16).toBe(0);
    expect(second % 16).toBe(0);
    expect(second).toBeGreaterThan(first + 100);
  });

  it("keep to the texts of a choice constraint", async () => {
    const reply = await post("/v1/chat/completions", {
      model: "rehearsal",
      messages,
      structured_outputs: { choice: ["zebra-7", "quokka-9"] },
    });

    expect(["zebra-7", "quokka-9"]).toContain(
      (reply.body as { choices: [{ message: { content: string } }] }).choices[0].message.content,
    );
  });
});

describe("refusals", () => {
  it("of an unknown model are vLLM's", async () => {
    const reply = await post("/v1/chat/completions", { model: "nobody", messages });

    expect(reply).toEqual({
      status: 404,
      body: {
        error: {
          message: "The model `nobody` does not exist.",
          type: "NotFoundError",
          param: "model",
          code: 404,
        },
      },
    });
  });

  it("of an unknown route are FastAPI's", async () => {
    expect(await post("/v1/nothing", {})).toEqual({ status: 404, body: { detail: "Not Found" } });
    expect((await fetch(`${server.url}/v1/chat/completions`)).status).toBe(405);
  });

  it.each([
    ["no messages", { model: "rehearsal" }, "messages"],
    ["a message without text", { messages: [{ role: "user" }] }, "messages"],
    ["a temperature above 2", { messages, temperature: 3 }, "temperature"],
    ["stream options without a stream", { messages, stream_options: {} }, "stream_options"],
    [
      "a schema that is missing",
      { messages, response_format: { type: "json_schema" } },
      "response_format",
    ],
    ["alternatives without log-probabilities", { messages, top_logprobs: 3 }, "top_logprobs"],
    ["too many alternatives", { messages, logprobs: true, top_logprobs: 99 }, "top_logprobs"],
  ])("name the parameter: %s", async (_, body, param) => {
    expect(await post("/v1/chat/completions", body)).toMatchObject({
      status: 400,
      body: { error: { type: "BadRequestError", param, code: 400 } },
    });
  });

  it("of a prompt that does not fit name the context length", async () => {
    const reply = await post("/v1/chat/completions", {
      messages: [{ role: "user", content: "word ".repeat(3_000) }],
    });

    expect(reply.status).toBe(400);
    expect(JSON.stringify(reply.body)).toContain("maximum context length is 2000 tokens");
  });

  it("of what is not JSON say so", async () => {
    const reply = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body: "{" });

    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain("Invalid JSON");
  });
});

describe("other routes", () => {
  it("embed alike in both encodings, at length 1, near for like texts", async () => {
    const input = [
      "The ferry to Norvik sails at noon",
      "Ferries sail to Norvik",
      "Quarterly tax report",
    ];
    const floats = await client.embeddings.create({
      model: "rehearsal",
      input,
      encoding_format: "float",
    });
    const decoded = await client.embeddings.create({ model: "rehearsal", input });
    const [first = [], second = [], third = []] = floats.data.map(({ embedding }) => embedding);
    const dot = (left: number[], right: number[]): number =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

    expect(decoded.data[0]?.embedding.map(Math.fround)).toEqual(first.map(Math.fround));
    expect(dot(first, first)).toBeCloseTo(1, 5);
    expect(dot(first, second)).toBeGreaterThan(dot(first, third) + 0.3);
  });

  it("rerank and score by relevance", async () => {
    const documents = [
      "Tax forms are due in May.",
      "The ferry to Norvik leaves at noon.",
      "A ferry.",
    ];
    const query = "When does the ferry to Norvik leave?";
    const ranked = (await post("/v1/rerank", { query, documents })).body as {
      results: { index: number; relevance_score: number }[];
    };
    const scored = (await post("/v1/score", { text_1: query, text_2: documents })).body as {
      data: { index: number; score: number }[];
    };

    expect(ranked.results.map(({ index }) => index)).toEqual([1, 2, 0]);
    expect(scored.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(scored.data[1]?.score).toBeGreaterThan(scored.data[2]?.score ?? 1);
  });

  it("tokenize so that detokenizing brings back the text", async () => {
    const prompt = 'Überfahrt nach Norvik: 40 €, {"a": [1, 2]} 🚢\n\tdone';
    const { tokens, count } = (await post("/tokenize", { prompt })).body as {
      tokens: number[];
      count: number;
    };

    expect(tokens.length).toBe(count);
    expect((await post("/detokenize", { tokens })).body).toEqual({ prompt });
  });

  it("say what the server is", async () => {
    const models = await client.models.list();

    expect(models.data).toMatchObject([{ id: "rehearsal", max_model_len: 2_000 }]);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/version`)).json()).toHaveProperty("version");
  });
});

async function post(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
}
