import { property } from "./property.ts";

/** An error that a server reported inside a reply, whole or streamed, under status 200. */
export class ReportedError extends Error {
  readonly body: unknown;

  constructor(body: unknown) {
    super("The server sent an error inside a reply");
    this.name = "ReportedError";
    this.body = body;
  }
}

/** The error that stands in a body: beside its choices, or inside the first. */
export function reportedError(body: unknown): ReportedError | undefined {
  const choices = property(body, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const error = property(body, "error") || property(choice, "error");
  return error ? new ReportedError(error) : undefined;
}
