import type { ErrorCode, FailureKind } from "./error-codes.ts";
import { errorCodes } from "./error-codes.ts";

const brand = Symbol.for("espalier.error");

/** The four sentences of a useful message: what happened, and what the reader needs to act. */
export interface ErrorReport {
  /** What went wrong, without a final full stop. */
  readonly problem: string;
  readonly expected?: string;
  readonly got?: string;
  /** File and line, field, call path or URL. */
  readonly where?: string;
  /** What to do next, as an imperative. */
  readonly fix?: string;
}

export interface EspalierErrorOptions extends ErrorReport {
  readonly code: ErrorCode;
  readonly cause?: unknown;
}

/**
 * Base class of every error that the framework throws. `code` is stable; the message is for people.
 */
export class EspalierError extends Error {
  readonly code: ErrorCode;
  readonly report: ErrorReport;

  constructor({ code, cause, ...report }: EspalierErrorOptions) {
    super(sentence(report), cause === undefined ? undefined : { cause });
    this.code = code;
    this.report = report;
    this.name = new.target.name;
    Object.defineProperty(this, brand, { value: true });
  }

  get kind(): FailureKind {
    return errorCodes[this.code][0];
  }

  /** Works across two installed copies of the package, where `instanceof` does not. */
  static isInstance(error: unknown): error is EspalierError {
    return error instanceof Error && brand in error;
  }
}

/** Limits in UTF-16 code units; a whole message stays below 3,000. */
const longest = { problem: 1_200, where: 300, expected: 450, got: 450, fix: 300 } as const;

function sentence(report: ErrorReport): string {
  const { problem, expected, got, where, fix } = shortened(report);
  const parts = [where === undefined ? problem : `${problem} (at ${where})`];
  if (expected !== undefined) parts.push(`Expected: ${expected}`);
  if (got !== undefined) parts.push(`Got: ${got}`);
  if (fix !== undefined) parts.push(fix);
  // A part that ends a line shows lines of source.
  return parts
    .map((part) => (part.endsWith("\n") ? part : /[.!?]$/.test(part) ? `${part} ` : `${part}. `))
    .join("")
    .trimEnd();
}

/**
 * Quoted text may come from outside and be of any length: the message counts what it leaves out.
 */
function shortened(report: ErrorReport): ErrorReport {
  const parts = Object.entries(report) as [keyof ErrorReport, string | undefined][];
  return Object.fromEntries(
    parts.map(([name, part]) => {
      if (part === undefined || part.length <= longest[name]) return [name, part];
      const beginning = part.slice(0, longest[name]).toWellFormed();
      return [name, `${beginning}... (${part.length - longest[name]} more characters)`];
    }),
  ) as unknown as ErrorReport;
}
