import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` over `node:http`, with connections kept open. Two reasons not to use the global one: it
 * gives up after five minutes without response headers, which a thinking model can take, and it
 * costs about twice the CPU time per call. Text bodies only; redirects are returned, not followed.
 */
export function httpFetch(): Fetch {
  const clients = {
    "http:": { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) },
    "https:": { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) },
  };
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { request, agent } = clients[url.protocol === "https:" ? "https:" : "http:"];
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(url, {
        agent,
        method: init.method ?? "GET",
        headers: Object.fromEntries(headersIn(init)),
        ...(init.signal ? { signal: init.signal } : {}),
      });
      outgoing.once("response", resolve);
      outgoing.once("error", reject);
      // One write with its length, so that the body is not sent in chunks.
      outgoing.end(typeof init.body === "string" ? init.body : undefined);
    });
    return responseOf(message);
  };
}

function headersIn({ headers }: RequestInit): Headers {
  return headers instanceof Headers ? headers : new Headers(headers);
}

async function responseOf(message: IncomingMessage): Promise<Response> {
  const init = { status: message.statusCode ?? 500, headers: headersOf(message) };
  if (message.headers["content-type"]?.startsWith("text/event-stream") === true) {
    // The two declarations of ReadableStream differ, the object is the same.
    return new Response(Readable.toWeb(message) as ReadableStream<Uint8Array>, init);
  }
  return new BufferedResponse(await textOf(message), init);
}

// Listeners instead of an async iterator, which allocates for each piece.
function textOf(message: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    message.setEncoding("utf8");
    message.on("data", (piece: string) => (text += piece));
    message.once("end", () => resolve(text));
    message.once("error", reject);
  });
}

/** A response that has arrived whole: reading it skips the web stream, which costs more than the rest. */
class BufferedResponse extends Response {
  override readonly text: Response["text"];
  override readonly json: Response["json"];

  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.text = () => Promise.resolve(text);
    this.json = async () => JSON.parse(text) as unknown;
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries(entries) as Record<string, string>;
}
