import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import type { BodyLimits } from "../../internal/index.ts";
import { BodyTooLarge } from "../../internal/index.ts";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` over `node:http`, with connections kept open. Two reasons not to use the global one: it
 * gives up after five minutes without response headers, which a thinking model can take, and it
 * costs several times the CPU time per call. Text bodies only; redirects are returned, not followed. A body
 * beyond its limit closes the connection; an event stream is counted by whoever reads it.
 */
export function httpFetch(limits: BodyLimits): Fetch {
  const clients = {
    "http:": { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) },
    "https:": { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) },
  };
  const targetOf = lastTarget();
  return async (input, { method = "GET", headers = {}, body, signal } = {}) => {
    const target = targetOf(input instanceof Request ? input.url : String(input));
    const { request, agent } = clients[target.protocol === "https:" ? "https:" : "http:"];
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      signal?.throwIfAborted();
      const outgoing = request({ ...target, agent, method, headers: plainHeaders(headers) });
      // Cheaper than the option `signal`, which watches the stream for all that can end it.
      // The reason is not the socket's: one that ends with an error just as its reply is whole has nobody
      // who listens to that, and takes the process along.
      const abort = (): void => {
        reject(signal?.reason as Error);
        outgoing.destroy();
      };
      signal?.addEventListener("abort", abort, { once: true });
      outgoing.once("close", () => signal?.removeEventListener("abort", abort));
      outgoing.once("response", resolve);
      outgoing.on("error", reject);
      // One write with its length, so that the body is not sent in chunks.
      outgoing.end(typeof body === "string" ? body : undefined);
    });
    const isStream = message.headers["content-type"]?.startsWith("text/event-stream") === true;
    const arrived = isStream ? piecesOf(message) : await textOf(message, limits);
    // A body that was let go ends like a whole one.
    signal?.throwIfAborted();
    return new TextResponse(message, arrived, limits) as unknown as Response;
  };
}

/** One address is asked again and again: it is taken apart once. */
function lastTarget(): (url: string) => RequestOptions {
  let last: { readonly url: string; readonly target: RequestOptions } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, target: urlToHttpOptions(new URL(url)) };
    return last.target;
  };
}

function plainHeaders(headers: NonNullable<RequestInit["headers"]>): Record<string, string> {
  const isPlain = !(headers instanceof Headers) && !Array.isArray(headers);
  return isPlain ? (headers as Record<string, string>) : Object.fromEntries(new Headers(headers));
}

/**
 * The whole text, or of a refusal its beginning. Listeners instead of an async iterator, which allocates
 * for each piece; what a listener throws would end the process.
 */
function textOf(
  message: IncomingMessage,
  { maxReplyBytes, maxErrorBytes }: BodyLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const isReply = isSuccess(message);
    const maxBytes = isReply ? maxReplyBytes : maxErrorBytes;
    const pieces: Buffer[] = [];
    let length = 0;
    const finish = (): void => {
      const [first] = pieces;
      const isOne = first !== undefined && pieces.length === 1 && length <= maxBytes;
      const bytes = isOne ? first : Buffer.concat(pieces, Math.min(length, maxBytes));
      resolve(bytes.toString("utf8"));
    };
    const stopAtLimit = (): void => {
      message.off("data", take);
      message.destroy();
      if (isReply) reject(new BodyTooLarge(maxBytes));
      else finish();
    };
    const take = (piece: Buffer): void => {
      length += piece.length;
      pieces.push(piece);
      if (length > maxBytes) stopAtLimit();
    };
    // It stays: a connection that was closed at the limit may fail once more.
    message.on("error", reject);
    if (isReply && Number(message.headers["content-length"]) > maxBytes) return stopAtLimit();
    message.on("data", take);
    message.once("end", finish);
  });
}

function isSuccess({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/**
 * The bytes of a stream. Who has read enough, as at `[DONE]`, leaves what comes after it to be passed over,
 * so that the connection can be used again.
 */
async function* piecesOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* message.iterator({ destroyOnReturn: false });
  } finally {
    if (!message.readableEnded) passOver(message);
  }
}

function passOver(message: IncomingMessage): void {
  const patience = setTimeout(() => message.destroy(), patienceMs);
  message.once("close", () => clearTimeout(patience));
  message.resume();
}

const patienceMs = 1_000;

/**
 * A response with the members that a client of texts and of event streams reads. A real one costs more to
 * make than all else here, and so do a web stream and real headers.
 */
class TextResponse implements Pick<Response, "ok" | "status" | "text" | "json"> {
  readonly ok: boolean;
  readonly status: number;
  /** Of an event stream: its bytes. `null` for a body that has arrived whole. */
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly #message: IncomingMessage;
  readonly #text: string | null;
  readonly #limits: BodyLimits;

  constructor(
    message: IncomingMessage,
    body: AsyncIterable<Uint8Array> | string,
    limits: BodyLimits,
  ) {
    this.status = message.statusCode ?? 500;
    this.ok = isSuccess(message);
    this.#message = message;
    this.#limits = limits;
    [this.body, this.#text] = typeof body === "string" ? [null, body] : [body, null];
  }

  get headers(): Pick<Headers, "get"> {
    const { headers } = this.#message;
    return { get: (name) => headers[name.toLowerCase()]?.toString() ?? null };
  }

  async text(): Promise<string> {
    return this.#text ?? textOf(this.#message, this.#limits);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }
}
