import { parseJson } from "../../internal/index.ts";
import { ApiError } from "../api-error/api-error.ts";

export interface BodyLimits {
  readonly bytes: number;
  /** Nesting depth of arrays and objects. */
  readonly depth: number;
  /** Texts, numbers, arrays, objects... */
  readonly values: number;
}

/**
 * The JSON of a request's body, read no further than the limits allow.
 *
 * @throws ApiError 413 beyond the bytes, 415 for another type, 400 if it is not JSON, nested too
 *   deeply, or has too many values
 */
export async function readJson(request: Request, limits: BodyLimits): Promise<unknown> {
  const { bytes } = limits;
  const type = request.headers.get("content-type") ?? "";
  // A web page can send other types to any server without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError(415, "unsupported_media_type", "Send `Content-Type: application/json`.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > bytes) throw tooLarge(bytes);
  const text = await readText(request, bytes);
  checkShape(text, limits);
  try {
    return parseJson(text);
  } catch {
    throw new ApiError(400, "invalid_json", "The body is not valid JSON.");
  }
}

async function readText(request: Request, limit: number): Promise<string> {
  // Node.js enforces a declared length. Other bodies are counted as they arrive, which costs a web
  // stream for each.
  const isDeclared = request.headers.has("content-length");
  const bytes = await (isDeclared ? request.arrayBuffer() : readCounted(request, limit));
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ApiError(400, "invalid_json", "The body is not valid UTF-8.");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

async function readCounted({ body }: Request, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Checks the text before parsing: later readers recurse as deep as the value is nested, and a
 * megabyte of keys or brackets costs more to parse than to count.
 *
 * @throws ApiError 400
 */
function checkShape(text: string, { depth: deepest, values: most }: BodyLimits): void {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === comma) values += 1;
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      values += 1;
      if (depth > deepest) {
        throw new ApiError(
          400,
          "json_too_deep",
          `The JSON is nested more than ${deepest} levels deep.`,
        );
      }
    } else if (code === closeBracket || code === closeBrace) depth -= 1;
    if (values > most) {
      throw new ApiError(
        400,
        "json_too_many_values",
        `The JSON contains more than ${most} values.`,
      );
    }
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) break;
    if (code === backslash) index += 1;
  }
  return index;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

function tooLarge(bytes: number): ApiError {
  return new ApiError(413, "request_too_large", `The request is larger than ${bytes} bytes.`);
}
