import { byteSize, mebibyte } from "./text/short-text.ts";
import { hash } from "node:crypto";
import { mapTexts } from "./json/well-formed.ts";

/** The media types of pictures that models read. */
const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

/** In bytes of the picture itself, which base64 makes a third longer. */
export const maxImageBytes: number = 10 * mebibyte;

/** In UTF-16 code units. */
const longestAddress = 8_192;

export type ImageType = (typeof imageTypes)[number];

/** The `data:` URL of a picture. */
export function dataUrlOf(type: ImageType, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** A picture inside of a `data:` URL, still in base64; `null` for any other text. */
export function imageDataIn(
  url: string,
): { readonly type: ImageType; readonly base64: string } | null {
  for (const type of imageTypes) {
    const head = `data:${type};base64,`;
    if (url.startsWith(head)) return { type, base64: url.slice(head.length) };
  }
  return null;
}

/**
 * What keeps a text from being an image's URL, as a sentence that says what was expected; `null` if
 * nothing does. Looks at the data itself, and never at what an address holds.
 */
export function imageUrlProblem(url: string): string | null {
  const data = imageDataIn(url);
  if (data !== null) return dataProblem(data.type, data.base64);
  if (url.startsWith("data:")) {
    const [type = ""] = url.slice("data:".length, 100).split(/[;,]/, 1);
    return `expected data of type ${known} in base64, got ${type === "" ? "no type" : type}`;
  }
  if (!/^https?:\/\//i.test(url)) {
    return `expected an https: address or a data: URL of an image, got ${JSON.stringify(url.slice(0, 60))}`;
  }
  if (url.length > longestAddress) {
    return `expected an address of at most ${longestAddress} characters, got ${url.length}`;
  }
  if (!URL.canParse(url)) return `expected an address, got ${JSON.stringify(url.slice(0, 60))}`;
  const { username, password } = new URL(url);
  if (username !== "" || password !== "") {
    return "expected an address without credentials, got one with a user name or a password";
  }
  return null;
}

const known = imageTypes.join(", ").replace(/, (?=[^,]*$)/, " or ");

function dataProblem(type: ImageType, base64: string): string | null {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    return "expected data in base64, got other characters or a truncated end";
  }
  const size = base64Bytes(base64);
  if (size > maxImageBytes) {
    return `expected an image of at most ${byteSize(maxImageBytes)}, got ${byteSize(size)}`;
  }
  const head = Buffer.from(base64.slice(0, 344), "base64");
  const held = imageTypeOf(head);
  if (held === type) return null;
  return `expected data that matches its type, ${type}, got ${held ?? otherTypeOf(head)}`;
}

/** Bytes that a text in base64 stands for. */
function base64Bytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** The media type by a file's first bytes, of which 12 suffice; `null` for anything else. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const latin = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (latin.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (latin.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (latin.startsWith("GIF87a") || latin.startsWith("GIF89a")) return "image/gif";
  if (latin.startsWith("RIFF") && latin.slice(8) === "WEBP") return "image/webp";
  return null;
}

/** What a file that is no such picture seems to be, for messages. */
export function otherTypeOf(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 256)).toString("latin1");
  if (bytes.length === 0) return "an empty file";
  if (start.startsWith("%PDF-")) return "a PDF";
  if (/^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(start)) return "an SVG, which is a program";
  if (start.startsWith("BM")) return "a BMP";
  if (start.startsWith("II*\0") || start.startsWith("MM\0*")) return "a TIFF";
  if (start.slice(4, 8) === "ftyp") return "a HEIC, AVIF or video file";
  return "another kind of file";
}

/**
 * What stands for a picture or a document where text is read: its media type, size, and the first
 * 12 hexadecimal digits of the SHA-256 of its bytes. Equal ones have equal placeholders. Any other
 * text stays as it is.
 */
export function imagePlaceholder(url: string): string {
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

/** A copy of a JSON value with placeholders for its pictures; the value itself if it holds none. */
export function withoutImages<TValue>(value: TValue): TValue {
  return mapTexts(value, imagePlaceholder) as TValue;
}

/** The pictures in a JSON value by their placeholders. */
export function imagesOf(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  mapTexts(value, (text) => {
    if (imageDataIn(text) !== null) found.set(imagePlaceholder(text), text);
    return text;
  });
  return found;
}

const placeholder = /^\(image\/[a-z]+, [\d.]+ (?:bytes|KiB|MiB), sha256 [0-9a-f]{12}\)$/;

/** The texts in a JSON value that are image placeholders. */
export function placeholdersIn(value: unknown): readonly string[] {
  const found: string[] = [];
  mapTexts(value, (text) => {
    if (text.length < 60 && placeholder.test(text)) found.push(text);
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
