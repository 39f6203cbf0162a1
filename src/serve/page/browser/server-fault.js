// @ts-check

/** Why the server did not answer, and what a person can do about it. */
export class ServerFault extends Error {
  /** HTTP status; 0 where there was none. */
  status;
  /** As the server names it; empty where it said nothing. */
  code;
  /** What to do next: a sentence. */
  advice;

  /**
   * @param {string} message
   * @param {{ status?: number, code?: string, retryAfterSeconds?: number | null }} [parts]
   */
  constructor(message, { status = 0, code = "", retryAfterSeconds = null } = {}) {
    super(message);
    this.name = "ServerFault";
    this.status = status;
    this.code = code;
    this.advice = adviceFor(status, code, retryAfterSeconds);
  }

  /** The code, or else the status: what an operator asks for. */
  get label() {
    return this.code || (this.status === 0 ? "" : `HTTP ${this.status}`);
  }
}

/**
 * The fault that a response tells of.
 *
 * @param {Response} response
 */
export async function faultOf(response) {
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : null;
  const { status } = response;
  const body = await response.json().catch(() => null);
  return faultOfBody(body, { status, retryAfterSeconds });
}

/**
 * The fault in a body, or an event, of the shape `{ error: { message, code } }`.
 *
 * @param {{ error?: { message?: string, code?: string | null } } | null} body
 * @param {{ status?: number, retryAfterSeconds?: number | null }} [known]
 */
export function faultOfBody(body, known = {}) {
  const { message, code } = body?.error ?? {};
  return new ServerFault(message ?? "The server did not say what is wrong.", {
    ...known,
    code: code ?? "",
  });
}

/** @param {unknown} error */
export function asFault(error) {
  if (error instanceof ServerFault) return error;
  // What `fetch` and a broken stream reject with says nothing of use to a person.
  if (error instanceof TypeError) {
    return new ServerFault("The server cannot be reached.", { code: "unreachable" });
  }
  return new ServerFault(error instanceof Error ? error.message : String(error));
}

/**
 * @param {number} status
 * @param {string} code
 * @param {number | null} retryAfterSeconds
 */
function adviceFor(status, code, retryAfterSeconds) {
  const later = retryAfterSeconds === null ? "shortly" : `in ${retryAfterSeconds} s`;
  if (status === 401) return "Give a key that this server knows.";
  if (status === 429) return `Try again ${later}.`;
  if (code === "unreachable")
    return "Check that it runs and that you are connected, and try again.";
  if (code === "model_not_found") return "Choose another program or version.";
  if (code === "context_length_exceeded" || status === 413) {
    return "Shorten the question, or begin a new conversation.";
  }
  if (code === "deadline_exceeded") return "Try again, or ask for less at a time.";
  if (status === 503 || /^(lm|server)_/.test(code)) {
    return `Try again ${later}; if it stays so, tell whoever runs the server.`;
  }
  if (status === 400) return "Change the question.";
  return "Try again; if it stays so, tell whoever runs the server.";
}
