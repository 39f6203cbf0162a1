import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { ApiError, internalError } from "../api-error/api-error.ts";

/**
 * An HTTP server whose refusals all have the API's shape, including those of requests that Node.js
 * would refuse itself or that cannot be turned into a `Request`.
 */
export function httpServer({
  fetch,
  requestTimeoutMs,
  hasLightGlobals,
  onRefused,
  onFault,
}: {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly requestTimeoutMs: number;
  readonly hasLightGlobals: boolean;
  readonly onRefused: (error: ApiError) => void;
  /** Called with errors that `fetch` should not have thrown. */
  readonly onFault: (error: unknown) => void;
}): Server {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const refuse = (outgoing: ServerResponse, error: ApiError): void => {
    onRefused(error);
    outgoing.writeHead(error.status, headersOf(error));
    outgoing.end(JSON.stringify(error.body));
  };
  const refuseRaw = (socket: Duplex, error: ApiError): void => {
    onRefused(error);
    socket.on("error", () => undefined);
    socket.end(rawResponse(error), () => socket.destroy());
  };
  const listener = getRequestListener(fetch, {
    overrideGlobalObjects: hasLightGlobals,
    errorHandler: (error) => {
      const isOfRequest = error instanceof RequestError;
      if (!isOfRequest) onFault(error);
      const fault = isOfRequest
        ? invalidRequest("The URL or the `Host` header of the request is invalid.")
        : internalError();
      onRefused(fault);
      return Response.json(fault.body, { status: fault.status });
    },
  });
  const server = createServer(
    {
      headersTimeout: Math.min(10_000, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16_384,
      // `requestFault` checks it: Node.js would refuse the request without a body.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      const fault = requestFault(incoming);
      if (fault !== null) {
        refuse(outgoing, fault);
        return;
      }
      answers.set(incoming.socket, outgoing);
      outgoing.setHeader("x-content-type-options", "nosniff");
      coalesceHeaders(outgoing);
      void listener(incoming, outgoing);
    },
  );
  server.on("connect", (_request, socket) => refuseRaw(socket, methodNotAllowed()));
  server.on("checkExpectation", (_request, outgoing: ServerResponse) => {
    const message = "Only `Expect: 100-continue` is supported.";
    refuse(outgoing, new ApiError(417, "expectation_failed", message));
  });
  server.on("clientError", (error, socket) => {
    const outgoing = answers.get(socket);
    const isAmidAnswer = outgoing?.headersSent === true && !outgoing.writableEnded;
    const isGone = !socket.writable || ("code" in error && error.code === "ECONNRESET");
    if (!isGone && !isAmidAnswer) refuseRaw(socket, connectionFault(error));
    else socket.destroy();
  });
  return server;
}

/**
 * Delays the head of a streamed response until the end of its turn of the event loop, so that the
 * head and the first piece are one write to the socket: each write is expensive.
 */
export function coalesceHeaders(outgoing: ServerResponse): void {
  const flush = outgoing.flushHeaders.bind(outgoing);
  outgoing.flushHeaders = () => {
    const { socket } = outgoing;
    // Not the response: once uncorked, it would send each part of a chunk separately.
    socket?.cork();
    flush();
    setImmediate(() => socket?.uncork());
  };
}

/** The fault of a message that cannot be turned into a `Request`; `null` if there is none. */
function requestFault({ method, url, headers, httpVersion }: IncomingMessage): ApiError | null {
  if (method === "TRACE" || method === "CONNECT") return methodNotAllowed();
  if (url === "*") return invalidRequest("`*` is not a supported path.");
  if (headers.host === undefined && httpVersion !== "1.0") {
    return invalidRequest("The request has no `Host` header.");
  }
  return null;
}

/** An error or a timeout of Node.js' parser. */
function connectionFault(error: Error): ApiError {
  const code = "code" in error ? error.code : "";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ApiError(408, "request_timeout", "The request did not arrive completely in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ApiError(431, "headers_too_large", "The request headers are too long.");
  }
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") {
    return new ApiError(413, "request_too_large", "The chunk extensions are too long.");
  }
  return invalidRequest("The request is not valid HTTP/1.1.");
}

function invalidRequest(message: string): ApiError {
  return new ApiError(400, "invalid_request", message);
}

function methodNotAllowed(): ApiError {
  return new ApiError(405, "method_not_allowed", "TRACE and CONNECT are not supported.");
}

/** Closes the connection: the rest of its data is not read. */
function headersOf({ body }: ApiError): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(JSON.stringify(body))),
    "x-content-type-options": "nosniff",
    connection: "close",
  };
}

/** Bytes for a connection that has no response object. */
function rawResponse(error: ApiError): string {
  const lines = Object.entries(headersOf(error)).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = STATUS_CODES[error.status] ?? "";
  return `HTTP/1.1 ${error.status} ${reason}\r\n${lines.join("")}\r\n${JSON.stringify(error.body)}`;
}

/** A listening server. */
interface RunningServer {
  readonly server: Server;
  /** The address it listens to, for example `127.0.0.1`. */
  readonly address: string;
  readonly url: string;
}

/**
 * Starts an HTTP server. Rejects with Node's own error if it cannot bind to the port.
 *
 * @param port 0 picks a free port
 */
export async function runServer({
  host,
  port,
  ...settings
}: Parameters<typeof httpServer>[0] & {
  readonly host: string;
  readonly port: number;
}): Promise<RunningServer> {
  const server = httpServer(settings);
  return { server, ...(await listen(server, { host, port })) };
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<{ readonly address: string; readonly url: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host, backlog }, resolve);
  await promise;
  server.off("error", reject);
  const { address, family, port: taken } = server.address() as AddressInfo;
  const shown = family === "IPv6" ? `[${address}]` : address;
  return { address, url: `http://${shown}:${taken}` };
}

/**
 * Maximum connections waiting to be accepted. Node.js defaults to 511, and a client that finds the
 * backlog full waits for seconds, or for half a minute. Systems reduce it to their own limit.
 */
const backlog = 4_096;
