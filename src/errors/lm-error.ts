import type { EspalierErrorOptions } from "./espalier-error.ts";
import { EspalierError } from "./espalier-error.ts";
import type { ErrorCode } from "./error-codes.ts";

export interface LmErrorOptions extends EspalierErrorOptions {
  /** HTTP status, when the server answered at all. */
  readonly status?: number;
  /** The delay that the server asked for (`Retry-After`). */
  readonly retryAfterMs?: number;
  /** The beginning of the body, for people. */
  readonly body?: string;
}

/** A call to a server that returned no usable envelope. */
export class LmError extends EspalierError {
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly body: string | undefined;

  constructor({ status, retryAfterMs, body, ...options }: LmErrorOptions) {
    super(options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }

  /**
   * Whether asking the same server again may help. False for a rejected request, which would be
   * rejected again, for a reply beyond the limit, which would cost as much again, and where no
   * server is asked.
   */
  get isRetryable(): boolean {
    const isFinal = this.code === "lm-reply-too-large" || this.code === "lm-reply-missing";
    return this.kind === "infrastructure" && !isFinal;
  }

  static override isInstance(error: unknown): error is LmError {
    return EspalierError.isInstance(error) && error.code.startsWith("lm-");
  }
}

/** Who was asked stopped in mid-reply by a fault of its own, and says so as the finish reason. */
export function gaveUp(who: "server" | "provider", reason: string): LmError {
  return new LmError({
    code: "lm-server-error",
    problem: `The ${who} gave up generating (finish reason \`${reason}\`)`,
  });
}

/**
 * Refuses a request for what an LM does not support.
 *
 * @param asked whether each feature that it lacks is asked for, by name
 * @param options.what the LM, as the subject of a sentence
 * @throws LmError `lm-unsupported`, naming every feature that is
 */
export function refuseUnsupported(
  asked: Readonly<Record<string, boolean>>,
  { what, fix }: { readonly what: string; readonly fix: string },
): void {
  const names = Object.entries(asked).flatMap(([name, isAsked]) =>
    isAsked ? [`\`${name}\``] : [],
  );
  if (names.length === 0) return;
  throw new LmError({
    code: "lm-unsupported",
    problem: `${what} does not support ${names.join(", ")}`,
    fix,
  });
}

/**
 * The code of a model server's refusal, by its HTTP status and what it says: its message, and the
 * words that it uses as codes.
 */
export function codeOfRefusal(status: number, said: string): ErrorCode {
  const ofPrompt = ofPrompts.find(
    ({ statuses, words }) => statuses.includes(status) && words.test(said),
  );
  if (ofPrompt !== undefined) return ofPrompt.code;
  if (status === 413) return "lm-context-overflow";
  if (status === 402 || (status >= 400 && status < 500 && quotaUsedUp.test(said))) {
    return "lm-quota-exhausted";
  }
  if (status === 401 || status === 403) return "lm-unauthorized";
  if (status === 404 || status < 400) return "lm-not-found";
  if (status === 408 || status === 425 || status === 429) return "lm-rate-limited";
  if (status >= 502 && status <= 504) return "lm-unavailable";
  if (status >= 500) return "lm-server-error";
  return "lm-request-refused";
}

/** Refusals that are about one prompt, so that others go on. */
const ofPrompts: readonly {
  readonly code: ErrorCode;
  readonly statuses: readonly number[];
  readonly words: RegExp;
}[] = [
  {
    code: "lm-context-overflow",
    statuses: [400, 413, 422],
    // vLLM has three phrasings, the last for a prompt that fills the context and leaves no token
    // for a reply. Then SGLang, llama.cpp, Anthropic and Ollama; OpenAI and Azure; Gemini; Bedrock;
    // Cohere; TGI and Together; Groq.
    words:
      /context[ _-]?(length|window|size)|maximum model length|max_model_len|max_tokens must be at least 1, got (0|-\d+)|prompt (is )?too long|tokens exceed|token count .{0,40}exceeds|maximum number of tokens|(input|request) (is )?too (long|large)|too many (input )?tokens|max_new_tokens.{0,3} must be <=|reduce the length of|string_above_max_length/i,
  },
  // llama.cpp before November 2025.
  {
    code: "lm-context-overflow",
    statuses: [500],
    words: /exceeds the available context size|exceed_context_size_error/i,
  },
  // More than a minute's tokens in one request: no later minute takes it either.
  { code: "lm-context-overflow", statuses: [429], words: /^request too large for/i },
  {
    code: "lm-prompt-refused",
    statuses: [400, 403, 422],
    // Azure and OpenAI; DashScope; DeepSeek; OpenRouter and Bedrock; Gemini.
    words:
      /content[ _-]?(filter|policy|management)|data_inspection_failed|content exists risk|\b(prompt|input|content|request) .{0,40}\b(flagged|blocked|filtered)\b|safety (system|settings)/i,
  },
];

/** OpenAI's code; DeepSeek, OpenRouter and Anthropic. */
const quotaUsedUp = /insufficient[_ ](quota|balance|credits?|funds)|credit balance is too low/i;

/** `Retry-After` in milliseconds: seconds, or a date relative to the server's own clock. */
export function retryAfterIn(headers: Headers | undefined): number | undefined {
  const wish = headers?.get("retry-after");
  if (!wish) return undefined;
  const seconds = Number(wish);
  const milliseconds = Number.isNaN(seconds)
    ? Date.parse(wish) - Date.parse(headers?.get("date") ?? "")
    : seconds * 1_000;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}

/**
 * The fault of a request with images or files, in a sentence of its own if the model or its server
 * takes none; any other fault as it is.
 *
 * @param held whether the request held some
 */
export function refusedMedia(
  fault: unknown,
  model: string,
  held: { readonly images: boolean; readonly files: boolean },
): unknown {
  if (!EspalierError.isInstance(fault)) return fault;
  const { got = "", where } = fault.report;
  const about = kinds.find(
    ({ of, codes, says }) => held[of] && codes.includes(fault.code) && says.test(got),
  );
  if (about === undefined) return fault;
  const { status, body } = fault as LmError;
  return new LmError({
    code: fault.code,
    problem: about.problem(model),
    got,
    ...(where !== undefined && { where }),
    fix: about.fix,
    ...(status !== undefined && { status }),
    ...(body !== undefined && { body }),
    cause: fault.cause,
  });
}

interface Kind {
  readonly of: "images" | "files";
  readonly codes: readonly ErrorCode[];
  /** How vLLM and others say so. */
  readonly says: RegExp;
  readonly problem: (model: string) => string;
  readonly fix: string;
}

const kinds: readonly Kind[] = [
  {
    of: "images",
    codes: ["lm-request-refused"],
    says: /not a multimodal model|at most 0 image|not support image|image input|unknown part type: image|image_url/i,
    problem: (model) => `The model \`${model}\` reads only text, but the request contains an image`,
    fix: "Leave the image out, or use a model that reads images, such as one that vLLM lists as multimodal.",
  },
  {
    of: "files",
    // The second: a provider of the AI SDK did not even send it.
    codes: ["lm-request-refused", "lm-unsupported"],
    says: /not a multimodal model|(?:unknown|unsupported|invalid)[^.]{0,40}\bfiles?\b|\bfile (?:part|input|data)|file_data|not support files?|text or images/i,
    problem: (model) =>
      `The server of the model \`${model}\` does not accept the file in the request`,
    fix: "Pass the file's text, or use a server and a model that accept files of this type as message parts.",
  },
];
