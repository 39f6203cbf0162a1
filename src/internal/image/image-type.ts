/** The media types of pictures that models read. */
export const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

export type ImageType = (typeof imageTypes)[number];

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
