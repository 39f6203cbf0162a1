import { byteSize } from "./byte-size.ts";

/** A body was longer than its reader takes; what came of it is dropped. */
export class BodyTooLarge extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`It is larger than ${byteSize(maxBytes)}`);
    this.name = "BodyTooLarge";
    this.maxBytes = maxBytes;
  }
}

/** What happens at the limit: the body is refused as a whole, or its beginning serves. */
export type AtLimit = "refuse" | "cut";

/**
 * The text of a body, in memory of at most `maxBytes`. The body is left, and so its connection closed, as
 * soon as it exceeds that. Bytes are counted as they are read: those of an unpacked body after unpacking.
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
