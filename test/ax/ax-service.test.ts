import { ax, f } from "@ax-llm/ax";
import { describe, expect, it } from "vitest";
import { axService } from "../../src/ax/ax-service.ts";
import { hosted } from "../../src/ax/index.ts";
import { defaultSampling } from "../../src/contract/index.ts";
import type { ReceivedRequest } from "../support/vllm-server.ts";
import { chat, chatPath, refuse, stall, vllmServer } from "../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "../lm/language-model.contract.ts";
import { clientOf, until } from "../lm/requests.ts";

languageModelContract(
  "hosted over axService",
  async () => {
    const server = await vllmServer();
    server.always(chatPath, contractAnswer);
    const service = axService({ lm: clientOf(server), sampling: defaultSampling, seed: 7 });
    return {
      lm: hosted({ provider: "ours", model: "test-model", service }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  { logprobs: "ax drops log-probabilities, so the wish is refused" },
);

const capital = f()
  .input("country", f.string("A country"))
  .output("capital", f.string("Its capital"))
  .useStructured()
  .build();

const answer = chat(({ body }: ReceivedRequest) => {
  const [country] = /(?<=Country: ).*/.exec(body.messages.at(-1).content) ?? [];
  return { content: JSON.stringify({ capital: `capital of ${country}` }) };
});

describe("ax's own generator over one of our language models", () => {
  it("gets typed output through a JSON schema, with our sampling and seed", async () => {
    await using server = await vllmServer();
    server.always(chatPath, answer);
    const seen: unknown[] = [];
    const service = axService({
      lm: clientOf(server),
      sampling: { ...defaultSampling, maxCompletionTokens: 77 },
      seed: 42,
      onReply: (request, reply) => seen.push([request.seed, reply.content]),
    });
    const result = await ax(capital).forward(service, { country: "France" });
    expect(result).toEqual({ capital: "capital of France" });
    expect(server.requests[0]?.body).toMatchObject({
      seed: 42,
      top_k: -1,
      max_completion_tokens: 77,
      response_format: { type: "json_schema", json_schema: { name: "output" } },
    });
    expect(seen).toEqual([[42, '{"capital":"capital of France"}']]);
  });

  it("keeps 100 calls at a time apart", async () => {
    await using server = await vllmServer();
    server.always(chatPath, answer);
    const generator = ax(capital);
    const service = axService({ lm: clientOf(server), sampling: defaultSampling });
    const countries = Array.from({ length: 100 }, (_, index) => `land ${index}`);
    const results = await Promise.all(
      countries.map((country) => generator.forward(service, { country })),
    );
    expect(results).toEqual(countries.map((country) => ({ capital: `capital of ${country}` })));
  });

  it("stops the HTTP request when the call's signal fires", async () => {
    await using server = await vllmServer();
    server.always(chatPath, stall);
    const controller = new AbortController();
    const service = axService({
      lm: clientOf(server),
      sampling: defaultSampling,
      callOptions: { signal: controller.signal },
    });
    const call = ax(capital).forward(service, { country: "France" });
    const thrown = call.catch((error: unknown) => error);
    await until(() => server.requests.length > 0);
    controller.abort(new Error("enough"));
    expect(await thrown).toBeInstanceOf(Error);
    await server.requests[0]?.aborted;
  });

  it("sees our errors", async () => {
    await using server = await vllmServer();
    server.always(chatPath, refuse(400, "no such key"));
    const service = axService({ lm: clientOf(server), sampling: defaultSampling });
    const call = service.chat({ chatPrompt: [{ role: "user", content: "hi" }] });
    await expect(call).rejects.toMatchObject({ code: "lm-request-refused" });
  });

  it("is refused tools, images and embeddings", async () => {
    await using server = await vllmServer();
    const service = axService({ lm: clientOf(server), sampling: defaultSampling });
    const tool = { name: "search", description: "finds" };
    const chatPrompt = [{ role: "user" as const, content: "hi" }];
    const image = { type: "image" as const, mimeType: "image/png", image: "aaaa" };
    const refused = { code: "lm-unsupported" };
    await expect(service.chat({ chatPrompt, functions: [tool] })).rejects.toMatchObject(refused);
    await expect(
      service.chat({ chatPrompt: [{ role: "user", content: [image] }] }),
    ).rejects.toMatchObject(refused);
    await expect(service.embed({ texts: ["a"] })).rejects.toMatchObject(refused);
  });
});
