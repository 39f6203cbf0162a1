import type { APIError } from "openai";
import { LmError } from "../../errors/index.ts";
import type { ErrorCode } from "../../errors/index.ts";
import { foreignJson } from "../../internal/index.ts";
import { errorMessage, errorStatus } from "./error-body.ts";
import type { FaultContext } from "./fault-context.ts";
import { modelIds, offeredModels } from "./model-ids.ts";

/** Any answer outside 2xx, and an error inside a stream. */
export async function refusal(error: APIError, context: FaultContext): Promise<LmError> {
  const { headers, error: body } = error;
  // An error inside a stream has no HTTP status of its own; vLLM repeats it in the body.
  const status = error.status ?? errorStatus(body) ?? 500;
  const { masked, where } = context.origin;
  const message = masked(errorMessage(body) ?? error.message);
  const code = codeFor(status, message);
  const retryAfterMs = retryAfter(headers);
  return new LmError({
    code,
    problem: `The server answered with status ${status}`,
    got: message.slice(0, 1_000),
    where,
    ...(await advice(code, message, headers, context)),
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    // All that is known of the refusal; the client's own error holds the body as it came.
    body: masked(foreignJson(body)).slice(0, 2_000),
  });
}

function codeFor(status: number, message: string): ErrorCode {
  if (status === 400 && contextOverflow.test(message)) return "lm-context-overflow";
  if (status === 401 || status === 403) return "lm-unauthorized";
  if (status === 404 || status < 400) return "lm-not-found";
  if (status === 408 || status === 425 || status === 429) return "lm-rate-limited";
  if (status >= 500) return "lm-server-error";
  return "lm-request-refused";
}

// vLLM has two phrasings, others have their own.
const contextOverflow =
  /context[ _-]?(length|window|size)|maximum model length|max_model_len|prompt is too long/i;

async function advice(
  code: ErrorCode,
  message: string,
  headers: Headers | undefined,
  context: FaultContext,
): Promise<{ readonly fix?: string }> {
  if (code === "lm-unauthorized") return { fix: "Give the server's API key as `apiKey`." };
  if (code === "lm-context-overflow") {
    return { fix: "Shorten the prompt, or lower `maxCompletionTokens`." };
  }
  if (code !== "lm-not-found") return {};
  const location = headers?.get("location");
  if (location)
    return {
      fix: `It redirects to \`${context.origin.masked(location)}\`: use that as the base URL.`,
    };
  if (!/model/i.test(message)) return { fix: routeAdvice(context) };
  const models = await context.listModels().then(modelIds, () => []);
  return models.length === 0
    ? { fix: "Check the model's name." }
    : { fix: `The server offers ${offeredModels(models)}.` };
}

function routeAdvice({ baseUrl, path }: FaultContext): string {
  return /\/v1\/?$/.test(baseUrl)
    ? `This server has no \`${path}\`; is it the right kind of server?`
    : "Is the base URL missing `/v1`?";
}

/** Seconds, or a date; a date is read against the server's own clock. */
function retryAfter(headers: Headers | undefined): number | undefined {
  const wish = headers?.get("retry-after");
  if (!wish) return undefined;
  const seconds = Number(wish);
  const milliseconds = Number.isNaN(seconds)
    ? Date.parse(wish) - Date.parse(headers?.get("date") ?? "")
    : seconds * 1_000;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
