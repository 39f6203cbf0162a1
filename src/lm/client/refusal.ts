import { APIError } from "openai";
import { codeOfRefusal, LmError, retryAfterIn } from "../../errors/index.ts";
import type { ErrorCode } from "../../errors/index.ts";
import { foreignJson, jsonOrUndefined } from "../../internal/index.ts";
import type { FaultContext } from "./fault-context.ts";
import { modelIds, offeredModels, property } from "./reply-values.ts";

/** What is known about an answer outside 2xx or an error inside a reply. */
export interface Refused {
  /** Absent inside a reply. */
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly body: unknown;
}

/** The fault of a refused request, with the SDK's error class for it as its cause. */
export async function refusal(
  { status: sent, headers, body }: Refused,
  context: FaultContext,
): Promise<LmError> {
  // An error inside a reply has no HTTP status of its own; vLLM and OpenRouter repeat it there.
  const words = errorWords(body);
  const { masked, where } = context.origin;
  const message = masked(errorMessage(body) ?? foreignJson(body));
  const said = [message, ...words].join(" ");
  const status = sent ?? errorStatus(body, words, said);
  const code = codeOfRefusal(status, said);
  const retryAfterMs = retryAfterIn(headers);
  const shown = masked(foreignJson(body)).slice(0, maxBodyCharacters);
  const quoted = { message: message.slice(0, 1_000) };
  return new LmError({
    code,
    problem: `The server answered with status ${status}`,
    got: quoted.message,
    where,
    ...(await advice(code, message, headers, context)),
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    body: shown,
    cause: sdkError(sent, jsonOrUndefined(shown) ?? quoted, maskedHeaders(headers, masked)),
  });
}

const maxBodyCharacters = 2_000;

/** The error that the SDK would throw, rebuilt because servers quote what they were sent. */
function sdkError(status: number | undefined, shown: unknown, headers: Headers): APIError {
  const error = property(shown, "error") ?? shown;
  return status === undefined
    ? new APIError(status, Object(error) as object, undefined, headers)
    : APIError.generate(status, { error }, undefined, headers);
}

function maskedHeaders(headers: Headers | undefined, masked: (text: string) => string): Headers {
  return new Headers(
    [...(headers ?? [])].map(([name, value]): [string, string] => [name, masked(value)]),
  );
}

/** `{ error: { message } }`, `{ error: "..." }`, `{ object: "error", message }` or `{ detail }`. */
function errorMessage(body: unknown): string | undefined {
  const error = property(body, "error");
  // Gemini wraps its error in a list.
  if (Array.isArray(body)) return errorMessage(body[0]);
  const found = [
    property(error, "message"),
    error,
    property(body, "message"),
    property(body, "detail"),
    body,
  ];
  return found.find((value) => typeof value === "string");
}

/** Codes in words: `insufficient_quota`, `context_length_exceeded`, `content_filter`. */
function errorWords(body: unknown): readonly string[] {
  const error = property(body, "error") ?? body;
  const inner = property(error, "innererror");
  const places = [property(error, "code"), property(error, "type"), property(inner, "code")];
  return places.filter((word) => typeof word === "string");
}

/** The HTTP status that an error inside a reply repeats as `code`, or means by what it says. */
function errorStatus(body: unknown, words: readonly string[], said: string): number {
  const code = Number(property(body, "code"));
  if (code >= 400 && code < 600) return code;
  const ofWord = statusOfWord.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
  // What is said of the prompt, or of the account, is no failure of the server.
  return ofWord ?? (codeOfRefusal(400, said) === "lm-request-refused" ? 500 : 400);
}

const statusOfWord = [
  [/rate_?limit/i, 429],
  [/authentication|api_key/i, 401],
  [/invalid_request/i, 400],
] as const;

async function advice(
  code: ErrorCode,
  message: string,
  headers: Headers | undefined,
  context: FaultContext,
): Promise<{ readonly fix?: string }> {
  if (code === "lm-unauthorized") {
    return {
      fix: "Give the server's API key: `apiKey` in code, ESPALIER_API_KEY for the commands.",
    };
  }
  if (code === "lm-quota-exhausted") {
    return { fix: "Add credit to the account, or raise its limit, and resume." };
  }
  if (code === "lm-context-overflow") {
    return {
      fix: context.path.startsWith("/chat/")
        ? "Shorten the prompt, or lower `maxCompletionTokens`."
        : "Shorten the texts, or let the server cut them: `truncatePromptTokens: -1`.",
    };
  }
  if (code === "lm-request-refused") return { ...requestAdvice(message) };
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

/** What a server says of a request that its model or its start-up options do not allow. */
function requestAdvice(message: string): { readonly fix?: string } {
  if (noTriggers.test(message)) {
    return {
      fix: 'vLLM\'s guidance backend cannot constrain calls of tools: start it with --structured-outputs-config \'{"backend":"xgrammar"}\', or let the agent ask for tools in JSON: `agent({ ..., calls: "json" })`.',
    };
  }
  if (!noToolCalls.test(message)) return {};
  return {
    fix: 'Start vLLM with --enable-auto-tool-choice and the model\'s --tool-call-parser, or let the agent ask for tools in JSON: `agent({ ..., calls: "json" })`.',
  };
}

const noTriggers = /Invalid grammar specification.{0,40}triggers/i;
const noToolCalls = /enable-auto-tool-choice|tool[- ]call[- ]parser/i;

function routeAdvice({ baseUrl, path }: FaultContext): string {
  return /\/v1\/?$/.test(baseUrl)
    ? `This server has no \`${path}\`; is it the right kind of server?`
    : "Is the base URL missing `/v1`?";
}
