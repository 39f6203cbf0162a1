import type { z } from "zod";
import type { Turn } from "../../contract/index.ts";
import type { ChatOutcome } from "../model/chat-outcome.ts";

/** A row of a protocol's questions. */
export interface BatchQuestion {
  /** Unique in its file; 1 and "1" are the same. */
  readonly id: string | number;
  readonly question: string;
  /** The conversation before the question, oldest turn first. @default none */
  readonly history?: readonly Turn[];
}

/** How lines of a result are written, and recognized when a batch resumes. */
export interface LineFormat {
  /**
   * The id in a line of an earlier run; `undefined` for anything that is not a line of this format.
   */
  idIn(line: unknown): string | number | undefined;
  /** What a line is, for messages: ``an object with `id` and `output` ``. */
  readonly shape: string;
}

/** How `espalier batch --protocol` reads questions and writes answers. */
export interface BatchFormat extends LineFormat {
  /** Reads one row of the input, and checks it. */
  readonly row: z.ZodType<BatchQuestion>;
  /** What the input calls the id, for messages. */
  readonly idName: string;
  /** The line of an answer. */
  lineOf(id: string | number, outcome: ChatOutcome): object;
  /** The line of a question that the program failed on. */
  failedLine(id: string | number, message: string): object;
}
