import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { chatModel, handler, serving } from "espalier/serve";
import express from "express";
import { Hono } from "hono";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { atOnce, declared } from "./served.ts";
import { answering, upstream } from "./upstream.ts";

test("hono mounts the models below a path, and OpenAI's client asks them there", async () => {
  await using lm = await upstream(answering("There."));
  await using models = await handler(declared, { lm: lm.lm, basePath: "/ai", drainMs: 100 });
  const app = new Hono();
  app.get("/", (c) => c.text("home"));
  app.all("/ai/*", (c) => models.fetch(c.req.raw));
  const client = new OpenAI({
    baseURL: "http://towns.example/ai/v1",
    apiKey: "none",
    maxRetries: 0,
    fetch: async (url, init) => app.fetch(new Request(url, init)),
  });
  const reply = await client.chat.completions.create({
    model: "at-once",
    messages: [{ role: "user", content: "Where?" }],
  });
  expect(reply.choices[0]?.message.content).toBe("There.");
  let streamed = "";
  const stream = await client.chat.completions.create({
    model: "at-once",
    messages: [{ role: "user", content: "Where?" }],
    stream: true,
  });
  for await (const piece of stream) streamed += piece.choices[0]?.delta.content ?? "";
  expect(streamed).toBe("There.");
  expect(await (await app.fetch(new Request("http://towns.example/"))).text()).toBe("home");
  expect(models.routes).toContain("POST /v1/responses");
});

test("Express mounts the models below a path, beside a program on a route of its own", async () => {
  await using lm = await upstream(answering("There."));
  await using models = await handler(declared, { lm: lm.lm, basePath: "/ai", drainMs: 100 });
  const app = express();
  app.all("/ai/*rest", getRequestListener(models.fetch));
  app.post("/answer", express.json(), async ({ body }: { body: unknown }, reply) => {
    reply.json(await atOnce.run(body as { question: string }, { lm: lm.lm }));
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new OpenAI({
    baseURL: `http://127.0.0.1:${port}/ai/v1`,
    apiKey: "none",
    maxRetries: 0,
  });
  const reply = await client.chat.completions.create({
    model: "at-once",
    messages: [{ role: "user", content: "Where?" }],
  });
  expect(reply.choices[0]?.message.content).toBe("There.");
  const own = await fetch(`http://127.0.0.1:${port}/answer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ question: "Where?" }),
  });
  expect(await own.json()).toEqual({ answer: "There." });
  server.closeAllConnections();
  server.close();
});

test("after `stop` it refuses questions; without an LM there is no handler", async () => {
  await using lm = await upstream(answering("There."));
  const models = await handler(declared, { lm: lm.lm, drainMs: 100 });
  await models.stop();
  const response = await models.fetch(
    new Request("http://towns.example/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "at-once", messages: [{ role: "user", content: "Where?" }] }),
    }),
  );
  expect([
    response.status,
    ((await response.json()) as { error: { code: string } }).error.code,
  ]).toEqual([503, "server_stopping"]);
  const without = serving({
    name: "towns",
    models: [chatModel({ id: "at-once", program: atOnce })],
  });
  await expect(handler(without)).rejects.toThrow('The serving "towns" has no LM');
});
