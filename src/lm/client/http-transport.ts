import http, { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { AgentOptions, IncomingMessage, RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import type { BodyLimits } from "../../internal/index.ts";
import { BodyTooLarge } from "../../internal/index.ts";
import type { ServerReply } from "./server-reply.ts";

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

export type HttpTransport = (request: HttpRequest) => Promise<ServerReply>;

/**
 * HTTP/1.1 over `node:http` with connections kept open. It exists beside the global `fetch`, which
 * the openai SDK uses, for two reasons: `fetch` gives up after five minutes without response
 * headers, which a thinking model can exceed, and a run makes many thousand chat calls. In the run
 * of `npm run bench:overhead` in test/bench/lab-book.md, a call through the whole framework
 * took 0.46 ms of CPU with this transport, the bare SDK 0.53 ms and the bare `fetch` 0.30 ms.
 * Redirects are returned, not followed. A body that exceeds its limit closes the connection; the
 * reader of an event stream counts its bytes.
 */
export function httpTransport(limits: BodyLimits): HttpTransport {
  const agents = { keepAlive: true, ...proxyOfNode() };
  const clients = {
    "http:": { request: httpRequest, agent: new HttpAgent(agents) },
    "https:": { request: httpsRequest, agent: new HttpsAgent(agents) },
  };
  const targetOf = lastTarget();
  return async ({ url, method, headers, body, signal }) => {
    const target = targetOf(url);
    const { request, agent } = clients[target.protocol === "https:" ? "https:" : "http:"];
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      signal?.throwIfAborted();
      const outgoing = request({ ...target, agent, method, headers });
      // Cheaper than the `signal` option, which watches the stream for everything that can end it.
      // The socket does not get the reason: if it ends with an error just as its reply completes,
      // nothing listens to that error any more, and it would end the process.
      const abort = (): void => {
        reject(signal?.reason as Error);
        outgoing.destroy();
      };
      signal?.addEventListener("abort", abort, { once: true });
      outgoing.once("close", () => {
        signal?.removeEventListener("abort", abort);
        // No more than a safeguard after a response or an error.
        reject(new Error("the connection was closed before a reply"));
      });
      const refuseSwitch = (): void => {
        reject(new SwitchedProtocols());
        outgoing.destroy();
      };
      outgoing.once("response", (message: IncomingMessage) =>
        message.statusCode === 101 ? refuseSwitch() : resolve(message),
      );
      // Without a listener, Node.js ends the request without a word.
      outgoing.once("upgrade", refuseSwitch);
      outgoing.on("error", reject);
      // A single write with its length, so that the body is not sent in chunks.
      outgoing.end(body);
    });
    const isStream = message.headers["content-type"]?.startsWith("text/event-stream") === true;
    const text = isStream ? null : await textOf(message, limits);
    // A destroyed body ends like a complete one.
    signal?.throwIfAborted();
    return {
      status: message.statusCode ?? 500,
      headers: () => headersOf(message),
      text: async () => text ?? textOf(message, limits),
      events: () => (isStream ? piecesOf(message) : null),
    };
  };
}

/** A reply of status 101 to a request that asked for no other protocol. */
export class SwitchedProtocols extends Error {}

/**
 * The proxy that Node.js was told to use, by NODE_USE_ENV_PROXY=1 or --use-env-proxy, and what
 * NO_PROXY excepts from it: its own agents have it since 22.21 and 24.5.
 */
function proxyOfNode(): Pick<AgentOptions, "proxyEnv"> {
  const { proxyEnv } = (http.globalAgent as unknown as { readonly options: AgentOptions }).options;
  return proxyEnv === undefined ? {} : { proxyEnv };
}

/** Calls mostly repeat one address, so the last one is parsed only once. */
function lastTarget(): (url: string) => RequestOptions {
  let last: { readonly url: string; readonly target: RequestOptions } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, target: urlToHttpOptions(new URL(url)) };
    return last.target;
  };
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );
}

/**
 * The whole text, or the beginning of it for a refusal. Uses listeners rather than an async
 * iterator, which allocates for each piece; an error thrown in a listener would end the process.
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
    // This listener stays: a connection closed at the limit may fail once more.
    message.on("error", reject);
    if (isReply && Number(message.headers["content-length"]) > maxBytes) return stopAtLimit();
    message.on("data", take);
    message.once("end", finish);
    message.once("close", () => reject(new Error("the connection was closed during the reply")));
  });
}

function isSuccess({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/**
 * The bytes of a stream. A reader may stop early, as at `[DONE]`; the rest is then drained so that
 * the connection can be reused.
 */
async function* piecesOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* message.iterator({ destroyOnReturn: false });
  } finally {
    if (!message.readableEnded) discard(message);
  }
}

function discard(message: IncomingMessage): void {
  const patience = setTimeout(() => message.destroy(), patienceMs);
  message.once("close", () => clearTimeout(patience));
  message.resume();
}

const patienceMs = 1_000;
