import { describe, expect, it } from "vitest";
import { agentCalls, capabilityNames, examineServer } from "../../../src/lm/index.ts";
import type { ServerExamination } from "../../../src/lm/index.ts";
import type { Answer, ChatAnswer, ReceivedRequest, VllmServer } from "../../support/vllm-server.ts";
import { chat, chatPath, json, raw, refuse, reset, vllmServer } from "../../support/vllm-server.ts";
import { capableVllm } from "./capable-vllm.ts";

const examine = (server: VllmServer): Promise<ServerExamination> =>
  examineServer({
    baseUrl: server.baseUrl,
    model: "test-model",
    examinedAt: "2026-11-21T12:00:00.000Z",
  });

const statesOf = ({ capabilities }: ServerExamination): Record<string, string> =>
  Object.fromEntries(Object.entries(capabilities).map(([name, { state }]) => [name, state]));

describe("an examination", () => {
  it("finds what a vLLM server with everything does", async () => {
    await using server = await vllmServer();
    let hits = 0;
    server.always(chatPath, capableVllm({ hitTokens: (tokens) => (hits += tokens) }));
    server.always("/tokenize", json({ count: 3, max_model_len: 4096, tokens: [1, 2, 3] }));
    server.always("/metrics", (request, response) =>
      raw(
        [
          "# TYPE vllm:prefix_cache_hits counter",
          `vllm:prefix_cache_hits_total{engine="0",model_name="m"} ${hits}.0`,
          'vllm:external_prefix_cache_hits_total{engine="0"} 77.0',
          'vllm:request_prompt_tokens_sum{engine="0"} 5.0',
          'vllm:prompt_tokens_total{engine="0"} 9.0',
        ].join("\n"),
        "text/plain",
      )(request, response),
    );
    const examination = await examine(server);
    expect(statesOf(examination)).toEqual({
      chat: "supported",
      sampling: "supported",
      reasoning: "supported",
      thinkingSwitch: "supported",
      jsonSchema: "supported",
      choice: "supported",
      boundedStrings: "supported",
      compactJson: "supported",
      images: "supported",
      logprobs: "supported",
      seed: "supported",
      streamingUsage: "supported",
      toolCalls: "supported",
      requiredToolCalls: "supported",
      parallelToolCalls: "supported",
      prefixCaching: "supported",
      cachedTokens: "unsupported",
      contextOverflow: "supported",
      priority: "unknown",
      cacheSalt: "supported",
      tokenize: "supported",
      embeddings: "unsupported",
      rerank: "unsupported",
      score: "unsupported",
      metrics: "supported",
    });
    expect(examination).toMatchObject({
      version: "0.27.1",
      maxModelLength: 4096,
      maxTopLogprobs: 20,
      dialect: "vllm",
      thinkingTemplate: "enableThinking",
    });
    expect(examination.capabilities.prefixCaching.evidence).toContain("288 of");
    expect(examination.capabilities.metrics.evidence).toBe(
      "2 counters: prefix_cache_hits, prompt_tokens",
    );
    // The bill is that of the server: what it received, and what it counted. Asking who is there
    // comes first.
    expect(examination.spent.calls).toBe(server.requests.length - 3);
    expect(examination.spent.calls).toBeLessThan(50);
    expect(examination.spent.completionTokens).toBeLessThan(100);
  });

  it("says how agents should ask a server with a parser of calls, and one without", async () => {
    const found = async (answer: Answer) => {
      await using server = await vllmServer();
      server.always(chatPath, answer);
      const examination = await examine(server);
      return { ...agentCalls(examination), ...examination.capabilities };
    };
    expect(await found(capableVllm())).toMatchObject({
      calls: "native",
      reason: "called the tool that it was asked to call",
      parallelToolCalls: { state: "supported", evidence: "2 calls in one reply" },
    });
    const without = await found(capableVllm({ hasToolParser: false }));
    expect(without).toMatchObject({
      calls: "json",
      reason:
        "has no tool call parser: start vLLM with --enable-auto-tool-choice and the model's --tool-call-parser; it follows JSON schemas",
      toolCalls: { state: "unsupported" },
      requiredToolCalls: { state: "supported" },
      parallelToolCalls: { state: "unsupported" },
    });
    const plain = capableVllm();
    const guidance = await found((request, response) =>
      (request.body.tools === undefined
        ? plain
        : refuse(400, "Invalid grammar specification: 'triggers'"))(request, response),
    );
    expect(guidance.calls).toBe("json");
    expect(guidance.toolCalls.evidence).toContain("guidance backend cannot constrain calls");
  });

  it("looks up each text's tokens once", async () => {
    await using server = await vllmServer();
    server.always(chatPath, capableVllm());
    server.always("/tokenize", json({ count: 3, max_model_len: 4096, tokens: [1, 2, 3] }));
    await examine(server);
    const asked = server.requests.flatMap(({ path, body }) =>
      path === "/tokenize" ? [String(body.prompt)] : [],
    );
    expect(asked).toContain("\n");
    expect(asked).toEqual([...new Set(asked)]);
  });

  it("is not deceived by a server that answers 200 to what it ignores", async () => {
    await using server = await vllmServer();
    server.always(chatPath, (request, response) =>
      chat({ content: "yes" })(
        {
          ...request,
          body: { ...request.body, logprobs: undefined, stream_options: undefined },
        },
        response,
      ),
    );
    expect(statesOf(await examine(server))).toMatchObject({
      chat: "supported",
      sampling: "unknown",
      reasoning: "unknown",
      thinkingSwitch: "unknown",
      jsonSchema: "unsupported",
      choice: "unsupported",
      logprobs: "unsupported",
      seed: "unknown",
      streamingUsage: "unsupported",
      prefixCaching: "unknown",
      contextOverflow: "unknown",
      priority: "unknown",
      cacheSalt: "unknown",
    });
  });

  it("chooses the `openai` dialect for a server that refuses vLLM's keys", async () => {
    await using server = await vllmServer();
    server.always(chatPath, (request, response) =>
      ("top_k" in request.body
        ? refuse(400, "Unrecognized request argument supplied: top_k")
        : chat({ content: "yes" }))(request, response),
    );
    expect(await examine(server)).toMatchObject({ dialect: "openai" });
  });

  it.each([
    ["reasoning", "supported", "thoughts are in `reasoning`"],
    ["reasoning_content", "supported", "thoughts are in `reasoning_content`"],
    ["content", "unsupported", expect.stringContaining("reasoning parser")],
  ] as const)("sees thoughts in `%s`", async (reasoningKey, state, evidence) => {
    await using server = await vllmServer();
    server.always(chatPath, capableVllm({ reasoningKey }));
    const { capabilities } = await examine(server);
    expect(capabilities.reasoning).toEqual({ state, evidence });
  });

  it("of a pooling server says that it does not chat, and what it does", async () => {
    await using server = await vllmServer();
    server.always(chatPath, refuse(404, "The model does not support Chat Completions API"));
    server.always("/v1/rerank", json({ results: [{ index: 0, relevance_score: 0.9 }] }));
    expect(statesOf(await examine(server))).toMatchObject({
      chat: "unsupported",
      jsonSchema: "unsupported",
      rerank: "supported",
    });
  });

  it("takes a failure in a trial for no answer, and one of the plain request for a broken server", async () => {
    await using server = await vllmServer();
    server.always(chatPath, (request, response) =>
      ("response_format" in request.body ? json({}, 503) : capableVllm())(request, response),
    );
    const { capabilities } = await examine(server);
    expect(capabilities.jsonSchema.state).toBe("unknown");
    server.always(chatPath, json({}, 503));
    await expect(examine(server)).rejects.toMatchObject({ code: "lm-unavailable" });
    server.always(chatPath, reset);
    await expect(examine(server)).rejects.toMatchObject({ code: "lm-unreachable" });
  });

  it("tells a model that calls no tool from a server that leaves tools out", async () => {
    const found = async (withTools: (request: ReceivedRequest) => ChatAnswer) => {
      await using server = await vllmServer();
      const plain = capableVllm();
      server.always(chatPath, (request, response) =>
        (request.body.tools === undefined ? plain : chat(withTools))(request, response),
      );
      return (await examine(server)).capabilities;
    };
    const usage = { prompt_tokens: 150, completion_tokens: 4, total_tokens: 154 };
    const told = await found(() => ({ content: "I will.", envelope: { usage } }));
    expect(told.toolCalls).toEqual({
      state: "unknown",
      evidence: expect.stringMatching(/^was shown the tool in 1\d\d tokens, but did not call it$/),
      limit: "model",
    });
    expect(told.parallelToolCalls).toMatchObject({ state: "unknown", limit: "model" });
    expect(told.requiredToolCalls).toMatchObject({ state: "unsupported" });

    const leftOut = await found(() => ({ content: "I will.", finishReason: "length" }));
    expect(leftOut.toolCalls).toEqual({
      state: "unsupported",
      evidence: "ignored with status 200: the tool took no prompt tokens",
    });
    expect(leftOut.requiredToolCalls).toEqual({
      state: "unknown",
      evidence: "the reply was cut off before the required call ended",
    });

    const text = '{"name": "look_up", "arguments": {"key": "a"}}';
    const asText = await found(() => ({ content: text, envelope: { usage } }));
    expect(asText.toolCalls.state).toBe("unknown");
    expect(asText.toolCalls.evidence).toContain("--tool-call-parser");
    expect(asText.toolCalls).not.toHaveProperty("limit");
  });

  it.each([
    ["Sure! Here is the single word that", "unsupported"],
    ['{ "text": "quok', "supported"],
    ['{\n\n\n\n "te', "unknown"],
    ["", "unknown"],
  ])("knows by %j, a reply cut off, that a schema is %s", async (content, state) => {
    await using server = await vllmServer();
    const plain = capableVllm();
    server.always(chatPath, (request, response) =>
      (JSON.stringify(request.body.response_format ?? {}).includes("quokka")
        ? chat({ content, finishReason: "length" })
        : plain)(request, response),
    );
    expect((await examine(server)).capabilities.jsonSchema.state).toBe(state);
  });

  it("takes a trial that does not fit the context for one that shows nothing", async () => {
    await using server = await vllmServer();
    const plain = capableVllm();
    const words = "This model's maximum context length is 512 tokens. Your prompt has 980.";
    server.always(chatPath, (request, response) =>
      (JSON.stringify(request.body.messages).length > 1_000 ? refuse(400, words) : plain)(
        request,
        response,
      ),
    );
    const { prefixCaching } = (await examine(server)).capabilities;
    expect(prefixCaching).toMatchObject({ state: "unknown", limit: "model" });
  });

  it("tells what a picture's refusal says of the model", async () => {
    await using server = await vllmServer();
    const plain = capableVllm();
    const words = "At most 0 image(s) may be provided: test-model is not a multimodal model";
    server.always(chatPath, (request, response) =>
      (JSON.stringify(request.body.messages).includes("image_url") ? refuse(400, words) : plain)(
        request,
        response,
      ),
    );
    const { images } = (await examine(server)).capabilities;
    expect(images).toMatchObject({ state: "unsupported", limit: "model" });
  });

  it("tells each finding as it comes, those of short replies first", async () => {
    await using server = await vllmServer();
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const plain = capableVllm();
    server.always(chatPath, async (request, response) => {
      if (request.body.max_completion_tokens > 1 && request.body.seed === 1) {
        arrived.resolve();
        await released.promise;
      }
      return plain(request, response);
    });
    const heard: string[] = [];
    const { baseUrl } = server;
    const examining = examineServer({
      baseUrl,
      model: "test-model",
      examinedAt: "2026-11-21T12:00:00.000Z",
      onFinding: (name) => heard.push(name),
    });
    await arrived.promise;
    expect(heard).toEqual(capabilityNames.slice(0, capabilityNames.indexOf("seed")));
    released.resolve();
    const { capabilities } = await examining;
    expect(heard).toEqual(capabilityNames);
    expect(new Set(heard)).toEqual(new Set(Object.keys(capabilities)));
  });
});
