import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { readFileSync } from "node:fs";
import { apiKeysInClear } from "espalier/serve";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Access, TriedClient } from "./features.ts";
import { apiKey, expected, features, peculiarities } from "./features.ts";
import type { ServedPrograms } from "./served-programs.ts";
import { servedPrograms } from "./served-programs.ts";
import { pythonClients } from "./python-clients.ts";
import { aiSdk } from "./tried/ai-sdk.ts";
import { langchain } from "./tried/langchain.ts";
import { openaiChat, openaiResponses } from "./tried/openai.ts";

let served: ServedPrograms;
beforeAll(async () => {
  served = await servedPrograms({ keys: apiKeysInClear(apiKey, "the test") });
});
afterAll(async () => served[Symbol.asyncDispose]());

const clients: Readonly<Record<string, (access: Access) => TriedClient>> = {
  "`openai`, npm: chat completions": openaiChat,
  "`openai`, npm: responses": openaiResponses,
  "LangChain.js, `@langchain/openai`: chat completions": (access) => langchain(access, false),
  "LangChain.js, `@langchain/openai`: responses": (access) => langchain(access, true),
  "AI SDK, `@ai-sdk/openai`: chat completions": (access) =>
    aiSdk(
      access,
      ({ baseUrl, apiKey: key }) => createOpenAI({ baseURL: baseUrl, apiKey: key }).chat,
    ),
  "AI SDK, `@ai-sdk/openai`: responses": (access) =>
    aiSdk(access, ({ baseUrl, apiKey: key }) => createOpenAI({ baseURL: baseUrl, apiKey: key })),
  "AI SDK, `@ai-sdk/openai-compatible`: chat completions": (access) =>
    aiSdk(access, ({ baseUrl, apiKey: key }) =>
      createOpenAICompatible({
        name: "towns",
        baseURL: baseUrl,
        apiKey: key,
        supportsStructuredOutputs: true,
        includeUsage: true,
      }),
    ),
};

describe.each(Object.entries(clients))("%s", (name, clientOf) => {
  test.for(features)("%s", async (feature, context) => {
    const tried = clientOf({ baseUrl: `${served.server.url}/v1`, apiKey })[feature];
    expect(tried === null).toBe(peculiarities[name]?.[feature] === "–");
    if (tried === null) return context.skip("the client has no such thing");
    expect(await tried()).toEqual(expected[feature]);
  });
});

test("the documentation names every client, and all of them can do all but list models", () => {
  const names = Object.keys(peculiarities);
  expect(new Set([...Object.keys(clients), ...pythonClients])).toEqual(new Set(names));
  const lacking = Object.values(peculiarities).flatMap((cells) => Object.keys(cells));
  expect(new Set(lacking)).toEqual(new Set(["models"]));
  const [tested = ""] =
    /^Tested clients: .*$/m.exec(readFileSync("docs/guide/serving.md", "utf8")) ?? [];
  const packages = names.map((name) => /`[^`]+`/.exec(name)?.[0] ?? name.replace(/:.*/, ""));
  expect(packages.filter((name) => !tested.includes(name))).toEqual([]);
});
