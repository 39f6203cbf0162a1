import { once } from "node:events";
import type { Answer } from "./vllm-server.ts";

/**
 * Sends the head of a reply and then the piece again and again, until the client leaves or `times` is
 * reached.
 */
export function endless(
  piece: string | Buffer,
  {
    head = "",
    contentType = "application/json",
    status = 200,
    times = Number.POSITIVE_INFINITY,
  }: {
    readonly head?: string;
    readonly contentType?: string;
    readonly status?: number;
    readonly times?: number;
  } = {},
): Answer {
  return async (_request, response) => {
    response.writeHead(status, { "content-type": contentType });
    response.write(head);
    // The client may close the connection at any time.
    response.on("error", () => {});
    for (let sent = 0; sent < times && !response.destroyed; sent++) {
      if (response.write(piece)) continue;
      await Promise.race([once(response, "drain"), once(response, "close")]).catch(() => {});
    }
    response.end();
  };
}
