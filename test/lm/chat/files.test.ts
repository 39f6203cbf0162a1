import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOfV3 } from "ai-sdk-v3";
import type { LanguageModel, LmFilePart, LmRequest } from "espalier";
import { fromAiSdk } from "@espalier/ai-sdk";
import { hosted } from "espalier/hosted";
import { cached, connect, defaultSampling, diskCache } from "espalier/lm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { serveRehearsal } from "@espalier/rehearsal";
import { callGate } from "../../../src/optimizer/budget/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chat, chatPath, refuse, vllmServer } from "../../support/vllm-server.ts";

const data = `data:application/pdf;base64,${Buffer.from("%PDF-1.4 1 page").toString("base64")}`;
const pdf: LmFilePart = { type: "file", url: data, mediaType: "application/pdf", name: "a.pdf" };
const asking = (file: LmFilePart): LmRequest => ({
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "What does it say?" }, file] },
  ],
  sampling: defaultSampling,
  seed: 1,
});

/** As OpenAI's API reference documents a file in a message. */
const onWire = z.tuple([
  z.strictObject({ role: z.literal("system"), content: z.string() }),
  z.strictObject({
    role: z.literal("user"),
    content: z.tuple([
      z.strictObject({ type: z.literal("text"), text: z.string() }),
      z.strictObject({
        type: z.literal("file"),
        file: z.strictObject({ filename: z.string().min(1), file_data: z.string() }),
      }),
    ]),
  }),
]);

const model = "test-model";
const named = (baseURL: string) => ({ name: "local", baseURL }) as const;
const models: Readonly<Record<string, (url: string) => LanguageModel>> = {
  "an OpenAI-compatible server": (baseUrl) => connect({ baseUrl, model }),
  "the AI SDK's openai-compatible (v3)": (url) => fromAiSdk(createOfV3(named(url))(model)),
  "the AI SDK's openai-compatible (v4)": (url) =>
    fromAiSdk(createOpenAICompatible(named(url))(model)),
  "the AI SDK's openai": (url) =>
    fromAiSdk(createOpenAI({ baseURL: url, apiKey: "none" }).chat(model)),
  "a hosted provider": (apiUrl) =>
    hosted({ provider: "openai", model: "gpt-4o-mini", apiKey: "none", apiUrl }),
};

describe.each(Object.entries(models))("a file to %s", (_, open) => {
  it("goes with its name and data", async () => {
    await using server = await vllmServer();
    server.always(chatPath, chat({ content: "one page" }));
    expect((await open(server.baseUrl).doGenerate(asking(pdf))).content).toBe("one page");
    const body = server.requests.find(({ path }) => path === chatPath)?.body;
    const [, { content }] = onWire.parse(body.messages);
    expect(content[1].file).toEqual({ filename: "a.pdf", file_data: data });
  });

  it("is refused in a sentence where the server takes none", async () => {
    await using server = await vllmServer();
    server.always(chatPath, refuse(400, "Unknown part type: file"));
    await expect(open(server.baseUrl).doGenerate(asking(pdf))).rejects.toMatchObject({
      code: "lm-request-refused",
      status: 400,
      message: expect.stringMatching(
        /^The server of the model `.*` does not accept the file in the request.*Unknown part type: file.*Pass the file's text/,
      ) as string,
    });
  });
});

it("an address goes in the place of the data, where the server may load it", async () => {
  await using server = await vllmServer();
  server.always(chatPath, chat({ content: "one page" }));
  const file = { ...pdf, url: "https://example.org/a.pdf" };
  await connect({ baseUrl: server.baseUrl, model }).doGenerate(asking(file));
  const body = server.requests.find(({ path }) => path === chatPath)?.body;
  expect(JSON.stringify(body.messages)).toContain('"file_data":"https://example.org/a.pdf"');
  const sdk = fromAiSdk(createOpenAICompatible(named(server.baseUrl))(model));
  await expect(sdk.doGenerate(asking(file))).rejects.toThrow(/does not accept the file/);
  const ax = hosted({ provider: "openai", model, apiKey: "none", apiUrl: server.baseUrl });
  await expect(ax.doGenerate(asking(file))).rejects.toThrow(/does not accept files by URL/);
});

it("is part of a call's key, with its name", async () => {
  await using server = await vllmServer();
  await using folder = await temporaryFolder();
  await using cache = diskCache(`${folder.path}/cache.sqlite`);
  server.always(chatPath, chat({ content: "one page" }));
  const lm = cached(connect({ baseUrl: server.baseUrl, model }), cache);
  const other = `${data.slice(0, -4)}AAAA`;
  for (const file of [pdf, pdf, { ...pdf, url: other }, { ...pdf, name: "b.pdf" }]) {
    await lm.doGenerate(asking(file));
  }
  expect(server.requests.filter(({ path }) => path === chatPath)).toHaveLength(3);
});

it("counts under a cap on tokens at its worst before it is sent", async () => {
  await using server = await vllmServer();
  const gate = callGate({ tokens: 100_000 });
  gate.start();
  const lm = gate.wrap(connect({ baseUrl: server.baseUrl, model }));
  await expect(lm.doGenerate(asking(pdf))).rejects.toMatchObject({ code: "budget-exhausted" });
  expect(server.requests.filter(({ path }) => path === chatPath)).toEqual([]);
});

it("is refused by the rehearsal LM, also over HTTP", async () => {
  await using server = await serveRehearsal();
  const lm = connect({ baseUrl: `${server.url}/v1`, model: "rehearsal" });
  await expect(lm.doGenerate(asking(pdf))).rejects.toThrow(/does not accept the file/);
});
