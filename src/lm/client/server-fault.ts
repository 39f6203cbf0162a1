import { APIConnectionError, APIError } from "openai";
import { EspalierError, LmError } from "../../errors/index.ts";
import { BodyTooLarge, byteSize } from "../../internal/index.ts";
import type { FaultContext } from "./fault-context.ts";
import { refusal } from "./refusal.ts";

/** Turns whatever an exchange threw into one of the `lm-...` errors. */
export async function serverFault(error: unknown, context: FaultContext): Promise<EspalierError> {
  if (EspalierError.isInstance(error)) return error;
  if (context.isStalled) return stalled(context);
  if (error instanceof BodyTooLarge) return tooLarge(error, context);
  if (error instanceof APIConnectionError) return unreachable(error, context);
  if (error instanceof APIError) return refusal(error, context);
  if (error instanceof SyntaxError) return brokenStream(context);
  return unreachable(error, context);
}

function stalled({ origin, stallTimeoutMs }: FaultContext): LmError {
  return new LmError({
    code: "lm-stalled",
    problem: `The server sent nothing for ${stallTimeoutMs} ms`,
    where: origin.where,
    fix: "Look at the server's load, or raise `stallTimeoutMs`.",
  });
}

function tooLarge({ maxBytes }: BodyTooLarge, { origin }: FaultContext): LmError {
  return new LmError({
    code: "lm-reply-too-large",
    problem: "The server's reply is too large",
    expected: `at most ${byteSize(maxBytes)}`,
    got: "more; the reply was dropped",
    where: origin.where,
    fix: "Look at what the server sends, or raise `maxReplyBytes`.",
  });
}

function brokenStream({ origin }: FaultContext): LmError {
  return new LmError({
    code: "lm-bad-envelope",
    problem: "A piece of the streamed reply is not JSON",
    where: origin.where,
  });
}

function unreachable(error: unknown, { origin }: FaultContext): LmError {
  const root = rootCause(error);
  const message = origin.masked(root.message);
  return new LmError({
    code: "lm-unreachable",
    problem: "The server could not be reached, or closed the connection",
    got: message,
    where: origin.where,
    fix: fixFor(root),
    // A header that cannot be sent is quoted whole.
    ...(message === root.message && { cause: error }),
  });
}

function rootCause(error: unknown): { readonly message: string; readonly code: string } {
  let origin = error;
  while (origin instanceof Error && origin.cause instanceof Error) origin = origin.cause;
  if (!(origin instanceof Error)) return { message: String(origin), code: "" };
  const code = "code" in origin ? String(origin.code) : "";
  // Several addresses refused at once come as an AggregateError without a message.
  return { message: origin.message === "" ? code : origin.message, code };
}

function fixFor({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === "ECONNREFUSED") return "Start the server, or correct the base URL.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Correct the host name in the base URL.";
  if (code === "HPE_HEADER_OVERFLOW") {
    return "The headers of its reply are larger than Node.js takes; look at what the server sends.";
  }
  if (code === "EPROTO" || code.startsWith("HPE_") || /\b(ssl|tls)\b/i.test(message)) {
    return "Check whether the base URL should start with `http://` or `https://`.";
  }
  return "Check that the server is still up.";
}
