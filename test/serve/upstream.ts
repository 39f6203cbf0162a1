import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModel } from "espalier";
import { connect } from "espalier/lm";

export interface UpstreamRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: string;
  readonly stream?: boolean;
  readonly seed: number;
}

/** Does what a test wants with one request; what it writes is sent at once. */
export type Reply = (response: ServerResponse, request: UpstreamRequest) => void | Promise<void>;

export interface Upstream extends AsyncDisposable {
  readonly url: string;
  readonly lm: LanguageModel;
  readonly requests: readonly UpstreamRequest[];
  /** Requests that the other side gave up before they were answered. */
  readonly givenUp: () => number;
  /** As if the process had been killed. */
  kill(): Promise<void>;
  /** On the same port. */
  restart(): Promise<void>;
}

/** The server of a language model, over real HTTP, that replies as the test says. */
export async function upstream(reply: Reply): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  let givenUp = 0;
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on("close", () => {
      if (!response.writableEnded) givenUp += 1;
    });
    if (incoming.url === "/v1/models") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "scripted" }] }));
      return;
    }
    if (incoming.method === "GET") {
      response.writeHead(404).end("{}");
      return;
    }
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    const request = JSON.parse(body) as UpstreamRequest;
    requests.push(request);
    await reply(response, request);
  };
  const listen = async (port: number) => {
    const server = createServer((incoming, response) => void handle(incoming, response));
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  const kill = (): Promise<void> => {
    const closed = new Promise<void>((done) => server.close(() => done()));
    server.closeAllConnections();
    return closed;
  };
  return {
    url,
    lm: connect({ baseUrl: url, model: "scripted", retry: { attempts: 1 } }),
    requests,
    givenUp: () => givenUp,
    kill,
    restart: async () => {
      server = await listen(port);
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** Replies `{"answer": ...}`, whole or in pieces as asked. */
export function answering(answer: string, pieces = 3): Reply {
  return replying(JSON.stringify({ answer }), pieces);
}

/** Replies with this content, whatever it is. */
export function replying(json: string, pieces = 3): Reply {
  return (response, request) => {
    if (request.stream !== true) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(whole({ content: json })));
      return;
    }
    beginStream(response);
    const size = Math.ceil(json.length / pieces);
    for (let at = 0; at < json.length; at += size) sendPiece(response, json.slice(at, at + size));
    endStream(response);
  };
}

/** Asks for calls of tools, in a stream in pieces as vLLM sends them. */
export function calling(calls: readonly (readonly [name: string, input: object])[]): Reply {
  const given = calls.map(([name, input], index) => ({
    index,
    id: `chatcmpl-tool-${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return (response, request) => {
    if (request.stream !== true) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(whole({ content: null, tool_calls: given }, "tool_calls")));
      return;
    }
    beginStream(response);
    const send = (call: object): void =>
      sendEvent(response, {
        model: "scripted",
        choices: [{ index: 0, delta: { tool_calls: [call] } }],
      });
    for (const { function: called, ...head } of given) {
      send({ ...head, function: { name: called.name, arguments: "" } });
      for (const piece of [called.arguments.slice(0, 4), called.arguments.slice(4)]) {
        send({ index: head.index, function: { arguments: piece } });
      }
    }
    endStream(response, "tool_calls");
  };
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}

/** Takes so long, as a large model does: for tests of how long is waited. */
export function answeringLate(content: string, lateMs: number): Reply {
  return async (response, request) => {
    await new Promise((done) => setTimeout(done, lateMs));
    return answering(content)(response, request);
  };
}

export function sendPiece(response: ServerResponse, content: string): void {
  sendEvent(response, { model: "scripted", choices: [{ index: 0, delta: { content } }] });
}

/**
 * Begins a stream with this piece and cuts it off when told to; what is asked later gets another
 * reply.
 */
export function breakingOff(
  piece: string,
  { cut, later }: { readonly cut: Promise<void>; readonly later: Reply },
): Reply {
  let replies = 0;
  return async (response, request) => {
    replies += 1;
    if (replies > 1) return later(response, request);
    beginStream(response);
    sendPiece(response, piece);
    await cut;
    response.destroy();
  };
}

export function endStream(response: ServerResponse, finishReason = "stop"): void {
  sendEvent(response, {
    model: "scripted",
    choices: [{ index: 0, delta: {}, finish_reason: finishReason }],
  });
  sendEvent(response, { model: "scripted", choices: [], usage });
  response.end("data: [DONE]\n\n");
}

function sendEvent(response: ServerResponse, value: unknown): void {
  response.write(`data: ${JSON.stringify(value)}\n\n`);
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function whole(message: object, finishReason = "stop") {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [
      { index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason },
    ],
    usage,
  };
}
