// @ts-check

/** Why the server did not answer, and what a person can do about it. */
export class ServerFault extends Error {
  /** The server's error code, for its operator; empty if there is none. */
  code;
  /** What to do next: a sentence. */
  advice;

  /**
   * @param {string} message
   * @param {{ status?: number, code?: string, retryAfterSeconds?: number }} [parts]
   */
  constructor(message, { status = 0, code = "", retryAfterSeconds = 0 } = {}) {
    super(message);
    this.code = code;
    this.advice = adviceFor(status, code, retryAfterSeconds);
  }
}

/** @param {Response} response */
export async function faultOf(response) {
  const { status, headers } = response;
  const body = await response.json().catch(() => ({ error: { code: `HTTP ${status}` } }));
  return faultOfBody(body, { status, retryAfterSeconds: Number(headers.get("retry-after")) });
}

/**
 * The fault in a body, or in an event of a stream.
 *
 * @param {{ error?: { message?: string, code?: string } }} body
 * @param {{ status?: number, retryAfterSeconds?: number }} [known]
 */
export function faultOfBody({ error = {} }, known = {}) {
  const { message = "The server did not give a reason.", code = "" } = error;
  return new ServerFault(message, { ...known, code });
}

/**
 * Replaces the errors of `fetch` and broken streams, which tell users nothing.
 *
 * @returns {never}
 */
export function unreachable() {
  throw new ServerFault("The server cannot be reached.", { code: "unreachable" });
}

/** @param {unknown} error */
export function asFault(error) {
  return error instanceof ServerFault ? error : new ServerFault(String(error));
}

/**
 * @param {number} status
 * @param {string} code
 * @param {number} retryAfterSeconds 0 if unknown
 */
function adviceFor(status, code, retryAfterSeconds) {
  const later = retryAfterSeconds > 0 ? `in ${retryAfterSeconds} s` : "shortly";
  if (status === 401) return "Use a key that is valid for this server.";
  if (status === 429) return `Try again ${later}.`;
  if (code === "unreachable")
    return "Check your connection and that the server is running, then try again.";
  if (code === "model_not_found") return "Choose another program or version.";
  if (code === "context_length_exceeded" || status === 413) {
    return "Shorten the question, or start a new conversation.";
  }
  if (code === "deadline_exceeded") return "Try again, or ask for less at a time.";
  if (status === 503 || /^(lm|server)_/.test(code)) {
    return `Try again ${later}; if the problem persists, contact the server's operator.`;
  }
  if (status === 400) return "Change the question.";
  return "Try again; if the problem persists, contact the server's operator.";
}
