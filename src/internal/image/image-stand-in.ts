import { hash } from "node:crypto";
import { mapTexts } from "../json/well-formed.ts";
import { byteSize } from "../text/byte-size.ts";
import { base64Bytes, imageDataIn } from "./image-url.ts";

/**
 * What stands for a picture or a document where text is read: its media type, size, and the first
 * 12 hexadecimal digits of the SHA-256 of its bytes. Equal ones have equal stand-ins. Any other
 * text stays as it is.
 */
export function imageStandIn(url: string): string {
  const data = imageDataIn(url) ?? documentDataIn(url);
  if (data === null) return url;
  const bytes = Buffer.from(data.base64, "base64");
  const size = byteSize(base64Bytes(data.base64));
  return `(${data.type}, ${size}, sha256 ${hash("sha256", bytes).slice(0, 12)})`;
}

/** A document inside of a `data:` URL. */
function documentDataIn(url: string): { readonly type: string; readonly base64: string } | null {
  if (!url.startsWith("data:application/")) return null;
  const held = dataUrlParts(url);
  return held && { type: held.mediaType, base64: held.base64 };
}

/** A copy of a JSON value with stand-ins for its pictures; the value itself if it holds none. */
export function withImageStandIns<TValue>(value: TValue): TValue {
  return mapTexts(value, imageStandIn) as TValue;
}

/** The pictures in a JSON value by their stand-ins. */
export function imagesByStandIn(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  mapTexts(value, (text) => {
    if (imageDataIn(text) !== null) found.set(imageStandIn(text), text);
    return text;
  });
  return found;
}

const standIn = /^\(image\/[a-z]+, [\d.]+ (?:bytes|KiB|MiB), sha256 [0-9a-f]{12}\)$/;

/** The texts in a JSON value that are stand-ins. */
export function standInsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  mapTexts(value, (text) => {
    if (text.length < 60 && standIn.test(text)) found.push(text);
    return text;
  });
  return found;
}

/** What a `data:` URL in base64 holds; `null` for any other text. */
export function dataUrlParts(
  url: string,
): { readonly mediaType: string; readonly base64: string } | null {
  const comma = url.indexOf(",");
  const head = url.slice(0, comma);
  if (!head.startsWith("data:") || !head.endsWith(";base64")) return null;
  const mediaType = head.slice("data:".length, -";base64".length);
  return { mediaType, base64: url.slice(comma + 1) };
}
