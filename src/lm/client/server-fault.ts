import type { APIError } from "openai";
import { EspalierError, LmError } from "../../errors/index.ts";
import {
  BodyTooLarge,
  byteSize,
  jsonOrUndefined,
  tlsAdvice,
  withoutCredentials,
} from "../../internal/index.ts";
import type { FaultContext } from "./fault-context.ts";
import { SwitchedProtocols } from "./http-transport.ts";
import type { Refused } from "./refusal.ts";
import { ReportedError } from "./reply-values.ts";

/** A reply outside 2xx with its body or the beginning of it. */
export class RefusedReply extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;

  constructor(status: number, headers: Headers, text: string) {
    super(`Status ${status}`);
    this.name = "RefusedReply";
    this.status = status;
    this.headers = headers;
    this.body = jsonOrUndefined(text) ?? { message: text };
  }
}

/** Turns whatever an exchange threw into an `lm-...` error, with the SDK's error as its cause. */
export async function serverFault(error: unknown, context: FaultContext): Promise<EspalierError> {
  if (EspalierError.isInstance(error)) return error;
  if (context.isStalled) return stalled(context);
  const root = rootOf(error);
  if (EspalierError.isInstance(root)) return root;
  if (root instanceof BodyTooLarge) return tooLarge(root, context);
  if (root instanceof SwitchedProtocols) return switchedProtocols(context);
  const refused = refusedIn(error);
  if (refused !== undefined) {
    // This import loads the SDK.
    const { refusal } = await import("./refusal.ts");
    return refusal(refused, context);
  }
  if (error instanceof SyntaxError) return brokenStream(context);
  return unreachable(error, root, context);
}

/** The innermost cause. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root;
}

function refusedIn(error: unknown): Refused | undefined {
  if (error instanceof RefusedReply || error instanceof ReportedError) return error;
  if (!isStatusError(error)) return undefined;
  const { status, headers, error: body, message } = error;
  return { status, headers, body: body ?? { message } };
}

/**
 * Checks the shape, since a user's client may come from another copy of the SDK. A connection error
 * has no status.
 */
function isStatusError(error: unknown): error is APIError<number, Headers> {
  return error instanceof Error && "status" in error && typeof error.status === "number";
}

async function stalled({ origin, stallTimeoutMs }: FaultContext): Promise<LmError> {
  const { APIConnectionTimeoutError } = await import("openai");
  const problem = `The server sent nothing for ${stallTimeoutMs} ms`;
  return new LmError({
    code: "lm-stalled",
    problem,
    where: origin.where,
    fix: "Check the server's load, or raise `stallTimeoutMs`.",
    cause: new APIConnectionTimeoutError({ message: problem }),
  });
}

function tooLarge({ maxBytes }: BodyTooLarge, { origin }: FaultContext): LmError {
  return new LmError({
    code: "lm-reply-too-large",
    problem: "The server's reply is too large",
    expected: `at most ${byteSize(maxBytes)}`,
    got: "more; the reply was dropped",
    where: origin.where,
    fix: "Check what the server sends, or raise `maxReplyBytes`.",
  });
}

function brokenStream({ origin }: FaultContext): LmError {
  return new LmError({
    code: "lm-bad-envelope",
    problem: "A piece of the streamed reply is not JSON",
    where: origin.where,
  });
}

function switchedProtocols({ origin }: FaultContext): LmError {
  return new LmError({
    code: "lm-bad-envelope",
    problem: "The server switched to another protocol (status 101) in place of a reply",
    where: origin.where,
    fix: "Check what answers at this address, and any proxy in front of it.",
  });
}

async function unreachable(
  error: unknown,
  root: unknown,
  { origin }: FaultContext,
): Promise<LmError> {
  const { APIConnectionError } = await import("openai");
  const { message, code } = described(root);
  const shown = withoutCredentials(origin.masked(message));
  const ofTls = tlsAdvice(root, "the server", "http://");
  const sdkError = new APIConnectionError({
    message: shown,
    // The message of a header that cannot be sent quotes the whole header.
    ...(shown === message && root instanceof Error && { cause: root }),
  });
  return new LmError({
    code: ofTls === undefined ? "lm-unreachable" : "lm-untrusted",
    problem: "The server could not be reached, or closed the connection",
    got: shown,
    where: origin.where,
    fix: fixFor({ message, code, isPlain: origin.where.startsWith("http:") }),
    ...ofTls,
    cause: shown === message && error instanceof APIConnectionError ? error : sdkError,
  });
}

function described(root: unknown): { readonly message: string; readonly code: string } {
  if (!(root instanceof Error)) return { message: String(root), code: "" };
  const code = "code" in root ? String(root.code) : "";
  // When several addresses refuse at once, the error is an AggregateError without a message.
  return { message: root.message.trim() || code, code };
}

function fixFor({
  code,
  message,
  isPlain,
}: {
  readonly code: string;
  readonly message: string;
  readonly isPlain: boolean;
}): string {
  if (code === "ECONNREFUSED") return "Start the server, or correct the base URL.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Correct the host name in the base URL.";
  if (code === "ERR_PROXY_TUNNEL") {
    return "Check the proxy that HTTPS_PROXY names, or exclude the host from it in NO_PROXY.";
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return "Its reply headers are larger than Node.js accepts; check what the server sends.";
  }
  if (code === "EPROTO" || code.startsWith("HPE_") || /\b(ssl|tls)\b/i.test(message)) {
    return "Check whether the base URL should start with `http://` or `https://`.";
  }
  return isPlain && code === "ECONNRESET"
    ? "Check that the server is still up; a port with TLS needs `https://`."
    : "Check that the server is still up.";
}
