import { constants } from "node:buffer";
import { EspalierError } from "../errors/index.ts";
import { byteSize, mebibyte } from "./text/short-text.ts";

/** Limits on what is read of a server's replies. */
export interface BodyLimits {
  readonly maxReplyBytes: number;
  /** Limit for an error body; the rest is cut off. */
  readonly maxErrorBytes: number;
}

export const defaultMaxReplyBytes: number = 64 * mebibyte;

/** @throws EspalierError `option-invalid` */
export function bodyLimits(maxReplyBytes: number): BodyLimits {
  // A UTF-8 body has at most as many characters as bytes, so one within this limit fits into a
  // string.
  const most = constants.MAX_STRING_LENGTH;
  if (Number.isInteger(maxReplyBytes) && maxReplyBytes >= 1 && maxReplyBytes <= most) {
    return { maxReplyBytes, maxErrorBytes: Math.min(maxReplyBytes, mebibyte) };
  }
  throw new EspalierError({
    code: "option-invalid",
    problem: "The limit on replies is invalid",
    expected: `\`maxReplyBytes\`, a whole number from 1 to ${most}`,
    got: String(maxReplyBytes),
  });
}

/** A body was longer than its reader accepts; what arrived of it is dropped. */
export class BodyTooLarge extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`It is larger than ${byteSize(maxBytes)}`);
    this.name = "BodyTooLarge";
    this.maxBytes = maxBytes;
  }
}

/** At the limit, the whole body is refused, or its beginning is used. */
export type AtLimit = "refuse" | "cut";

/**
 * Reads the text of a body in at most `maxBytes` of memory. Cancels the body, and thereby closes
 * its connection, as soon as it exceeds that. Counts bytes as they are read: for a compressed body,
 * after decompression.
 *
 * @throws BodyTooLarge
 */
export async function boundedText(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, atLimit = "refuse" }: { readonly maxBytes: number; readonly atLimit?: AtLimit },
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    pieces.push(piece);
    if (length <= maxBytes) continue;
    if (atLimit === "refuse") throw new BodyTooLarge(maxBytes);
    break;
  }
  return Buffer.concat(pieces, Math.min(length, maxBytes)).toString("utf8");
}
