import type { EspalierErrorOptions } from "../errors/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { EvaluationRow } from "./evaluation.ts";

const brand = Symbol.for("espalier.evaluation-stopped");

export interface EvaluationStoppedOptions extends EspalierErrorOptions {
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
