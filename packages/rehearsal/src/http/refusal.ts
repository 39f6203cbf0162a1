/** A request to be answered with an error status; thrown and caught only within this folder. */
export class Refusal extends Error {
  readonly status: number;
  readonly param: string | null;

  constructor(status: number, message: string, param: string | null = null) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

const typeByStatus: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  429: "RateLimitError",
  500: "InternalServerError",
};

/** The error body of vLLM's OpenAI routes. */
export function errorBody(status: number, message: string, param: string | null = null): object {
  const type = typeByStatus[status] ?? "BadRequestError";
  return { error: { message, type, param, code: status } };
}
