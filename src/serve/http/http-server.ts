import type { Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { ApiError, internalError } from "../api-error/api-error.ts";
import {
  connectionFault,
  headersOf,
  invalidRequest,
  methodNotAllowed,
  rawResponse,
  requestFault,
} from "./protocol-fault.ts";

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
