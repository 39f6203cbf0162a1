/**
 * A language model's server in its own process. It answers every question with the question's
 * secret, whole or in eight chunks as requested, after the delay in the last message from the
 * parent.
 */
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerTo, secretIn } from "./question.ts";

let latencyMs = 0;
process.on("message", (message: { readonly latencyMs?: number }) => {
  latencyMs = message.latencyMs ?? latencyMs;
});

const server = createServer((incoming, response) => {
  let body = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (piece: string) => (body += piece));
  incoming.on("end", () => {
    if (incoming.method === "POST" && latencyMs > 0) setTimeout(reply, latencyMs, response, body);
    else if (incoming.method === "POST") reply(response, body);
    else if (incoming.url === "/v1/models") json(response, { data: [{ id: "bench" }] });
    else response.writeHead(404).end("{}");
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/v1`);
});

function reply(response: ServerResponse, body: string): void {
  const text = answerTo(secretIn(body));
  // The request comes from a program, with a schema, or directly from a client.
  const content = body.includes('"json_schema"') ? JSON.stringify({ answer: text }) : text;
  if (body.includes('"stream":true')) streamed(response, content);
  else {
    const message = { role: "assistant", content };
    json(response, {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    });
  }
}

function streamed(response: ServerResponse, content: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (value: object): void => {
    response.write(
      `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...value })}\n\n`,
    );
  };
  const size = Math.ceil(content.length / 8);
  for (let at = 0; at < content.length; at += size) {
    const delta = { content: content.slice(at, at + size) };
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  send({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function json(response: ServerResponse, value: object): void {
  const body = JSON.stringify(value);
  response.setHeader("content-type", "application/json");
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

const head = { id: "chatcmpl-1", created: 0, model: "bench" };
const usage = { prompt_tokens: 120, completion_tokens: 20, total_tokens: 140 };
