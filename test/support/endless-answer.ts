import { Readable, pipeline } from "node:stream";
import type { Answer } from "./vllm-server.ts";

/**
 * Sends the head of a reply and then the piece again and again, until the client leaves or `times`
 * is reached.
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
  return (_request, response) => {
    response.writeHead(status, { "content-type": contentType });
    response.write(head);
    // The client may close the connection at any time.
    pipeline(Readable.from(repeated(piece, times)), response, () => {});
  };
}

function* repeated<TPiece>(piece: TPiece, times: number): Generator<TPiece> {
  for (let sent = 0; sent < times; sent++) yield piece;
}
