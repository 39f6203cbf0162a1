import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed body; `undefined` for a GET. */
  readonly body: any;
  /** Settles when the client gave up before the answer was complete. */
  readonly aborted: Promise<void>;
}

/** Writes one HTTP answer. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => unknown;

export interface VllmServer extends AsyncDisposable {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
  /** Largest number of requests that were being answered at one time. */
  readonly maxInFlight: number;
  /**
   * Scripts the next answers on a path, one each; what is not scripted is answered as vLLM would.
   */
  script(path: string, ...answers: readonly Answer[]): void;
  /** Answers every request on a path that is not scripted. */
  always(path: string, answer: Answer): void;
}

/** An HTTP server on a free port that speaks vLLM's protocol and can be told to misbehave. */
export async function vllmServer({
  model = "test-model",
  host = "127.0.0.1",
  port: wanted = 0,
} = {}): Promise<VllmServer> {
  const requests: ReceivedRequest[] = [];
  const scripts = new Map<string, Answer[]>();
  const routes = new Map<string, Answer>(Object.entries(defaultRoutes(model)));
  let inFlight = 0;
  let maxInFlight = 0;

  const server = createServer(async (incoming, response) => {
    maxInFlight = Math.max(maxInFlight, ++inFlight);
    response.once("close", () => inFlight--);
    const request = await receive(incoming, response);
    requests.push(request);
    const answer = scripts.get(request.path)?.shift() ?? routes.get(request.path) ?? noSuchRoute;
    await answer(request, response);
  });
  server.listen(wanted, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://${host}:${port}/v1`,
    requests,
    get maxInFlight() {
      return maxInFlight;
    },
    script: (path, ...answers) =>
      void scripts.set(path, [...(scripts.get(path) ?? []), ...answers]),
    always: (path, answer) => void routes.set(path, answer),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const chatPath = "/v1/chat/completions";

/** Answers with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with any bytes. */
export function raw(text: string, contentType = "text/html", status = 200): Answer {
  return (_request, response) => {
    response.writeHead(status, { "content-type": contentType });
    response.end(text);
  };
}

/** vLLM's error, as it has been since 2025; `old` is the shape before. */
export function refuse(
  status: number,
  message: string,
  type = "BadRequestError",
  old = false,
): Answer {
  const error = { message, type, param: null, code: status };
  return json(old ? { object: "error", ...error } : { error }, status);
}

/** Takes the request and never answers. */
export const stall: Answer = () => undefined;

/** Closes the connection instead of answering. */
export const reset: Answer = (_request, response) => void response.socket?.destroy();

export interface ChatAnswer {
  readonly content?: string | null;
  readonly reasoning?: string | null;
  readonly finishReason?: string;
  /** Merged over the whole envelope. */
  readonly envelope?: Record<string, unknown>;
}

/** Answers a chat request as vLLM does: whole or streamed, with log-probabilities if asked. */
export function chat(answer: ChatAnswer | ((request: ReceivedRequest) => ChatAnswer)): Answer {
  return (request, response) => {
    const told = typeof answer === "function" ? answer(request) : answer;
    if (request.body.stream === true) streamChat(request, response, told);
    else json(chatBody(request, told))(request, response);
  };
}

function chatBody({ body }: ReceivedRequest, answer: ChatAnswer): Record<string, unknown> {
  const { content = "hello there", reasoning = null, finishReason = "stop", envelope } = answer;
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, reasoning, tool_calls: [] },
        logprobs: body.logprobs === true ? { content: logprobsOf(content ?? "", body) } : null,
        finish_reason: finishReason,
      },
    ],
    usage: usageOf(body, content, finishReason),
    ...envelope,
  };
}

function streamChat(request: ReceivedRequest, response: ServerResponse, answer: ChatAnswer): void {
  const { content = "hello there", reasoning, finishReason = "stop" } = answer;
  const { body } = request;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: body.model };
  const send = (piece: object): void =>
    void response.write(`data: ${JSON.stringify({ ...base, ...piece })}\n\n`);
  const delta = (piece: object, rest: object = {}): void =>
    send({ choices: [{ index: 0, delta: piece, logprobs: null, finish_reason: null, ...rest }] });
  delta({ role: "assistant", content: "" });
  for (const piece of tokensOf(reasoning ?? "")) delta({ reasoning: piece });
  for (const piece of tokensOf(content ?? "")) {
    delta(
      { content: piece },
      body.logprobs === true ? { logprobs: { content: logprobsOf(piece, body) } } : {},
    );
  }
  delta({}, { finish_reason: finishReason });
  if (body.stream_options?.include_usage === true)
    send({ choices: [], usage: usageOf(body, content, finishReason) });
  response.end("data: [DONE]\n\n");
}

const tokensOf = (text: unknown): string[] => String(text).match(/\s*\S+/g) ?? [];

function logprobsOf(text: string, { top_logprobs: count = 0 }: any): object[] {
  return tokensOf(text).map((token) => ({
    token,
    logprob: -0.5,
    bytes: [...Buffer.from(token)],
    top_logprobs: Array.from({ length: count }, (_, rank) => ({
      token: rank === 0 ? token : `${token}${rank}`,
      logprob: -0.5 - rank,
      bytes: null,
    })),
  }));
}

/** A reply that was cut off has used up its tokens. */
function usageOf(body: any, content: string | null, finishReason: string): object {
  const prompt = body.messages.flatMap((message: any) => tokensOf(message.content)).length;
  const written = tokensOf(content ?? "").length;
  const completion =
    finishReason === "length" ? (body.max_completion_tokens ?? body.max_tokens) : written;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: null,
  };
}

async function receive(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<ReceivedRequest> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  response.once("close", () => (response.writableFinished ? undefined : resolve()));
  let text = "";
  incoming.setEncoding("utf8");
  for await (const piece of incoming) text += piece;
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    body: text === "" ? undefined : JSON.parse(text),
    aborted,
  };
}

const noSuchRoute = json({ detail: "Not Found" }, 404);

function defaultRoutes(model: string): Record<string, Answer> {
  const card = { id: model, object: "model", owned_by: "vllm", root: model, max_model_len: 4096 };
  return {
    "/health": raw("", "text/plain"),
    "/version": json({ version: "0.27.1" }),
    "/v1/models": json({ object: "list", data: [card] }),
    [chatPath]: (request, response) => {
      const known = request.body.model === model;
      const missing = refuse(
        404,
        `The model \`${request.body.model}\` does not exist.`,
        "NotFoundError",
      );
      return (known ? chat({}) : missing)(request, response);
    },
  };
}
