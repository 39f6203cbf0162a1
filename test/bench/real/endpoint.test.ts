import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { chat, chatPath, vllmServer } from "../../support/vllm-server.ts";
import { endpoint } from "./endpoint.ts";
import { recordings } from "./recordings.ts";

const greedy = { model: "test-model", temperature: 0, messages: [{ role: "user", content: "Hi" }] };

async function ask(baseUrl: string, body: object): Promise<{ status: number; content?: string }> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  const { choices } = (await response.json()) as { choices?: { message: { content: string } }[] };
  const content = choices?.[0]?.message.content;
  return { status: response.status, ...(content !== undefined && { content }) };
}

/** A model that counts its replies, behind an endpoint. */
async function counting(folder: string) {
  const server = await vllmServer();
  let replies = 0;
  server.always(
    chatPath,
    chat(() => ({ content: `reply ${++replies}` })),
  );
  const store = recordings(join(folder, "kept"), join(folder, "fresh"));
  const asked = await endpoint({ recordings: store, upstream: async () => server.baseUrl });
  return {
    store,
    asked,
    baseUrl: asked.baseUrl("task", "run", "search"),
    [Symbol.asyncDispose]: async () => {
      await asked[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("asks a model once for a greedy request, whatever its seed, and counts each call", async () => {
  await using folder = await temporaryFolder();
  await using one = await counting(folder.path);
  const { baseUrl, asked } = one;
  expect(await ask(baseUrl, { ...greedy, seed: 1 })).toEqual({ status: 200, content: "reply 1" });
  expect(await ask(baseUrl, { ...greedy, seed: 2 })).toEqual({ status: 200, content: "reply 1" });
  const other = asked.baseUrl("task", "other", "test");
  expect(await ask(other, greedy)).toEqual({ status: 200, content: "reply 1" });
  expect(asked.calls("task", "run", "search").calls).toBe(2);
  expect(asked.calls("task", "other", "test").calls).toBe(1);
  expect(asked.asked).toBe(1);
});

test("asks again for what a run samples again, and replays it in that order", async () => {
  await using folder = await temporaryFolder();
  const sampled = { ...greedy, temperature: 1 };
  {
    await using one = await counting(folder.path);
    expect((await ask(one.baseUrl, sampled)).content).toBe("reply 1");
    expect((await ask(one.baseUrl, sampled)).content).toBe("reply 2");
    one.store.pack();
  }
  const store = recordings(join(folder.path, "kept"), join(folder.path, "fresh"));
  await using replayed = await endpoint({ recordings: store, upstream: async () => null });
  const baseUrl = replayed.baseUrl("task", "run", "search");
  expect((await ask(baseUrl, sampled)).content).toBe("reply 1");
  expect((await ask(baseUrl, sampled)).content).toBe("reply 2");
  expect((await ask(baseUrl, sampled)).status).toBe(404);
});

test("goes on after an interruption that cut the last reply short", async () => {
  await using folder = await temporaryFolder();
  {
    await using one = await counting(folder.path);
    await ask(one.baseUrl, greedy);
  }
  appendFileSync(join(folder.path, "fresh/test-model/task.jsonl"), '{"key":"0123","fig');
  const later = { ...greedy, messages: [{ role: "user", content: "Bye" }] };
  {
    await using one = await counting(folder.path);
    expect((await ask(one.baseUrl, greedy)).content).toBe("reply 1");
    await ask(one.baseUrl, later);
    expect(one.asked.asked).toBe(1);
  }
  await using one = await counting(folder.path);
  await ask(one.baseUrl, later);
  expect(one.asked.asked).toBe(0);
});
