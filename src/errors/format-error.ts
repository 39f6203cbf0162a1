import type { EspalierErrorOptions } from "./espalier-error.ts";
import { EspalierError } from "./espalier-error.ts";

/** A valid envelope whose content cannot be used. */
export class FormatError extends EspalierError {
  /** What the model wrote; `null` when it wrote nothing. */
  readonly rawText: string | null;
  /** Whether the model repeated itself until it was stopped. */
  readonly isLoop: boolean;

  constructor({
    rawText,
    isLoop = false,
    ...options
  }: EspalierErrorOptions & { readonly rawText: string | null; readonly isLoop?: boolean }) {
    super(options);
    this.rawText = rawText;
    this.isLoop = isLoop;
  }

  static override isInstance(error: unknown): error is FormatError {
    return EspalierError.isInstance(error) && error.code.startsWith("output-");
  }
}

/** The model answered, but declined: a fault of this prompt, not of the server. */
export function declinedReply(refusal: string, who: string, cause?: Error): FormatError {
  return new FormatError({
    code: "output-empty",
    problem: `The model \`${who}\` declined to answer`,
    got: refusal,
    rawText: refusal,
    ...(cause && { cause }),
  });
}
