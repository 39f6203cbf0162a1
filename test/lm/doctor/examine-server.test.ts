import { describe, expect, it } from "vitest";
import { agentCalls, examineServer } from "../../../src/lm/index.ts";
import type { ServerExamination } from "../../../src/lm/index.ts";
import type { Answer, VllmServer } from "../../support/vllm-server.ts";
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
      mostTopLogprobs: 20,
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
        "has no parser of calls: start vLLM with --enable-auto-tool-choice and the model's --tool-call-parser; it follows JSON schemas",
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
});
