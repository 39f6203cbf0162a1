import type { Failure } from "../contract/index.ts";
import type { EspalierErrorOptions } from "../errors/index.ts";
import { EspalierError, failureOf } from "../errors/index.ts";
import type { EvaluationRow } from "./evaluation.ts";

/** The failure that ended an evaluation, and its example. */
export interface Stop {
  readonly exampleId: string;
  readonly error: unknown;
  readonly failure?: Failure;
}

export interface StoppedOptions {
  /** Absent if the caller's signal fired while no run was in flight. */
  readonly stop: Stop | undefined;
  /** Reason of the caller's signal. */
  readonly reason: unknown;
  readonly rows: readonly EvaluationRow[];
  readonly total: number;
}

/** The error of an evaluation that ended early, with the message of its cause. */
export function stopped({ stop, reason, rows, total }: StoppedOptions): EvaluationStopped {
  const failure = stop?.failure ?? (stop && failureOf(stop.error));
  const finished = `${rows.length} of ${total} examples are finished`;
  const progress = { total, rows };
  if (stop === undefined || failure === undefined || failure.kind === "aborted") {
    return new EvaluationStopped({
      code: "aborted",
      problem: `The evaluation was aborted; ${finished}`,
      cause: reason ?? stop?.error,
      ...progress,
    });
  }
  return new EvaluationStopped({
    code: failure.code,
    problem: `The evaluation stopped: ${failure.code === "write-failed" ? "results could not be saved" : problems[failure.kind]}`,
    got: failure.message,
    where: `example \`${stop.exampleId}\``,
    fix: `${finished} and kept in \`rows\`.`,
    cause: stop.error,
    exampleId: stop.exampleId,
    ...progress,
  });
}

const problems = {
  infrastructure: "a server failed for too long",
  format: "a format failure could not be scored",
  program: "the program, the metric or their configuration is wrong",
  budget: "a budget is exhausted",
  client: "an agent asks for tools that an evaluation does not have",
} as const;

const brand = Symbol.for("espalier.evaluation-stopped");

interface EvaluationStoppedOptions extends EspalierErrorOptions {
  readonly exampleId?: string | undefined;
  readonly total: number;
  readonly rows: readonly EvaluationRow[];
}

/**
 * An evaluation ended before its last example: the program or the metric failed, a budget ran out,
 * or the caller aborted. `code` says which; `rows` holds the finished rows.
 */
export class EvaluationStopped extends EspalierError {
  /** The example that ended it; absent if the caller did. */
  readonly exampleId: string | undefined;
  /** Number of examples in the evaluation. */
  readonly total: number;
  /** Finished rows, in the order of the examples. */
  readonly rows: readonly EvaluationRow[];

  constructor({ exampleId, total, rows, ...options }: EvaluationStoppedOptions) {
    super(options);
    this.exampleId = exampleId;
    this.total = total;
    this.rows = rows;
    Object.defineProperty(this, brand, { value: true });
  }

  static override isInstance(error: unknown): error is EvaluationStopped {
    return EspalierError.isInstance(error) && brand in error;
  }
}
