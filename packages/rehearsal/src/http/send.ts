import type { ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import type { CallFault } from "./faults.ts";
import { errorBody } from "./refusal.ts";

/**
 * Sends an answer, or the fault that replaces it. Returns the status sent, or `null` if none was.
 */
export async function send(
  response: ServerResponse,
  answer: Answer,
  fault: CallFault | undefined,
): Promise<number | null> {
  switch (fault) {
    case undefined:
      return answer.kind === "json"
        ? whole(response, answer.status, answer.body)
        : stream(response, answer);
    case "stall":
      await closed(response);
      return null;
    case "rate-limit":
      response.setHeader("retry-after", "0");
      return whole(response, 429, errorBody(429, "Too many requests, slow down."));
    case "server-error":
      return whole(response, 500, errorBody(500, "Internal server error"));
    case "unavailable":
      return whole(response, 503, errorBody(503, "Service unavailable"));
    case "invalid-json":
      return text(response, "application/json", '{"id": "chatcmpl-', 200);
    case "html-page":
      return text(response, "text/html", "<!doctype html><title>502 Bad Gateway</title>", 200);
    case "wrong-shape":
      return whole(response, 200, { status: "ok", result: [] });
    case "truncated-body":
      // The body ends before the announced length.
      response.writeHead(200, { "content-type": "application/json", "content-length": "4096" });
      response.write('{"id": "chatcmpl-');
      response.destroy();
      return 200;
    case "connection-reset":
      response.socket?.resetAndDestroy();
      return null;
  }
}

function whole(response: ServerResponse, status: number, body: unknown): number {
  return text(response, "application/json", JSON.stringify(body), status);
}

function text(response: ServerResponse, type: string, body: string, status: number): number {
  response.writeHead(status, { "content-type": type });
  response.end(body);
  return status;
}

function stream(response: ServerResponse, { events }: Extract<Answer, { kind: "stream" }>): number {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
  return 200;
}

/** Resolves when the client gives up or the server stops. */
async function closed(response: ServerResponse): Promise<void> {
  if (response.destroyed || response.socket?.destroyed === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once("close", resolve);
  await promise;
}
