import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json as jsonOf, text } from "node:stream/consumers";
import { contentHash } from "../../../src/internal/index.ts";
import { messageOf } from "../../../src/errors/index.ts";
import { forward } from "../../support/forward.ts";
import type { recordings, RecordedReply } from "./recordings.ts";

/** Why a call is made: calls of a search are what a budget bounds. */
export type Phase = "search" | "reflection" | "test" | "further";

export interface Calls {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface EndpointOptions {
  readonly recordings: ReturnType<typeof recordings>;
  /** Where a model answers that has not been asked before, with `/v1`; `null`: nowhere. */
  readonly upstream: (model: string) => Promise<string | null>;
}

export interface Endpoint extends AsyncDisposable {
  /** Ends with `/v1`. */
  baseUrl(task: string, run: string, phase: Phase): string;
  /** What a run has asked for so far, whether recorded or not. */
  calls(task: string, run: string, phase: Phase): Calls;
  /** Replies that a model gave since the start. */
  readonly asked: number;
}

/**
 * A chat server that every search of the table asks, ours and peers' alike: it counts their calls,
 * answers from recordings, and asks the model for the rest alone. Greedy requests that differ in
 * their seed alone are one request; a sampled one that a run repeats is another one each time.
 */
export async function endpoint({ recordings, upstream }: EndpointOptions): Promise<Endpoint> {
  const counted = new Map<string, Calls>();
  const repeats = new Map<string, number>();
  const asking = new Map<string, Promise<RecordedReply>>();
  let asked = 0;

  async function replyTo(place: string, task: string, body: ChatBody): Promise<RecordedReply> {
    const key = keyOf(body, (plain) => {
      const name = `${place}/${plain}`;
      const times = repeats.get(name) ?? 0;
      repeats.set(name, times + 1);
      return times;
    });
    const known = recordings.get(body.model, task, key);
    if (known) return known;
    const name = `${body.model}/${task}/${key}`;
    const running = asking.get(name) ?? recorded(task, key, body);
    asking.set(name, running);
    try {
      return await running;
    } finally {
      asking.delete(name);
    }
  }

  async function recorded(task: string, key: string, body: ChatBody): Promise<RecordedReply> {
    const reply = await askModel(body);
    recordings.set(body.model, task, key, reply);
    return reply;
  }

  async function askModel(body: ChatBody): Promise<RecordedReply> {
    const server = await upstream(body.model);
    if (server === null) {
      throw new HttpError(404, `No reply of ${body.model} is recorded for this request.`);
    }
    // Without a time limit: a reader takes minutes.
    const sent = { method: "POST", body: JSON.stringify(body) };
    const response = await forward(`${server}/chat/completions`, sent);
    asked += 1;
    const { statusCode: status = 500 } = response;
    const content = await text(response);
    if (status === 200) return recordedFrom(JSON.parse(content) as ChatReply);
    // Too long a prompt is the request's fault, and stays one.
    if (status >= 400 && status < 500) return { content, tokens: [0, 0], status };
    throw new HttpError(status, content);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, task = "", run = "", phase = "", ...rest] = (request.url ?? "").split("/");
    if (request.method !== "POST" || rest.join("/") !== "v1/chat/completions") {
      throw new HttpError(404, "This server answers `POST /v1/chat/completions` alone.");
    }
    const body = (await jsonOf(request)) as ChatBody;
    const place = `${task}/${run}/${phase}`;
    const reply = await replyTo(place, task, body);
    const [prompt, completion] = reply.tokens;
    const before = counted.get(place);
    counted.set(place, {
      calls: (before?.calls ?? 0) + 1,
      promptTokens: (before?.promptTokens ?? 0) + prompt,
      completionTokens: (before?.completionTokens ?? 0) + completion,
    });
    if (reply.status !== undefined) throw new HttpError(reply.status, reply.content);
    send(response, 200, replyFrom(reply, body.model));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const [status, message] =
        error instanceof HttpError ? [error.status, error.message] : [502, messageOf(error)];
      send(
        response,
        status,
        message.startsWith("{") ? JSON.parse(message) : { error: { message } },
      );
    });
  });
  // Longer than clients keep idle connections.
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (task, run, phase) => `http://127.0.0.1:${port}/${task}/${run}/${phase}/v1`,
    calls: (task, run, phase) =>
      counted.get(`${task}/${run}/${phase}`) ?? { calls: 0, promptTokens: 0, completionTokens: 0 },
    get asked() {
      return asked;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface ChatBody {
  readonly model: string;
  readonly temperature?: number;
  readonly seed?: number;
}

interface ChatReply {
  readonly choices: readonly {
    readonly message: { readonly content: string | null };
    readonly finish_reason: string;
    readonly logprobs?: unknown;
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @param repeatsOf how often this run has sent a sampled request before */
function keyOf(body: ChatBody, repeatsOf: (plain: string) => number): string {
  const { seed: _, ...greedy } = body;
  if (body.temperature === 0) return contentHash(greedy).slice(0, 16);
  const plain = contentHash(body);
  return contentHash([plain, repeatsOf(plain)]).slice(0, 16);
}

function recordedFrom({ choices: [choice], usage }: ChatReply): RecordedReply {
  return {
    content: choice?.message.content ?? "",
    ...(choice?.finish_reason !== "stop" && { finishReason: choice?.finish_reason ?? "" }),
    tokens: [usage.prompt_tokens, usage.completion_tokens],
    ...((choice?.logprobs ?? null) !== null && { logprobs: choice?.logprobs }),
  };
}

function replyFrom(
  { content, finishReason = "stop", tokens: [prompt, completion], logprobs = null }: RecordedReply,
  model: string,
): object {
  return {
    id: "recorded",
    object: "chat.completion",
    created: 0,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content },
        finish_reason: finishReason,
        logprobs,
      },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
