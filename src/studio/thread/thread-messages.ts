import type { EspalierErrorOptions } from "../../errors/index.ts";
import type { SourceWork } from "./source-work.ts";

/** What a studio sends to its thread. */
export interface ThreadRequest {
  /** The answer has the same. */
  readonly number: number;
  readonly name: keyof SourceWork;
  readonly given: unknown;
}

/** What comes back: a value, or why there is none. */
export interface ThreadAnswer {
  readonly number: number;
  readonly value?: unknown;
  readonly problem?: string;
  /** Of an error of ours. */
  readonly own?: EspalierErrorOptions;
}
