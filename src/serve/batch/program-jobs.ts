import { z } from "zod";
import type { LanguageModel } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import { checkCount } from "../../internal/index.ts";
import { inputExcess } from "../../signature/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { excessSentence } from "../model/input-too-long.ts";
import type { LineFormat } from "../protocol/batch-format.ts";
import type { BatchJob } from "./batch-job.ts";

/** A row of a program's inputs: `{ "id": "q1", "input": { "question": "..." } }`. */
export interface ProgramRow {
  /** Unique in its file; 1 and "1" are the same. */
  readonly id: string | number;
  readonly input: Readonly<Record<string, unknown>>;
}

const id = z.union([z.string().min(1), z.int()], "a string or a whole number");

export const programRow: z.ZodType<ProgramRow> = z.object({
  id,
  input: z.record(z.string(), z.unknown()),
});

const written = z.looseObject({ id }).refine((line) => "output" in line || "error" in line);

/** `{ "id", "output" }`, or `{ "id", "error" }` if the program failed. */
export const programLines: LineFormat = {
  idIn: (line) => written.safeParse(line).data?.id,
  shape: "one JSON object per line, with `id` and either `output` or `error`",
};

/**
 * Runs a model's program on rows of its own inputs. The id of a row determines its seed: a repeated
 * run samples the same.
 *
 * @throws EspalierError `option-invalid`
 */
export function programJobs(
  rows: readonly ProgramRow[],
  {
    model: { program, lms = {} },
    lm,
    maxInput,
  }: {
    readonly model: ChatModel;
    readonly lm: LanguageModel;
    /** Maximum UTF-16 code units of a text whose field has no maximum of its own; at least 1. */
    readonly maxInput: number;
  },
): readonly BatchJob[] {
  checkCount("maxInput", maxInput);
  return rows.map(({ id, input }) => ({
    id,
    run: async (signal) => {
      const excess = inputExcess(program.input, input, maxInput);
      if (excess !== null) return { state: "refused", why: excessSentence(excess) };
      try {
        const options = { lm, lms, seed: 0, requestId: String(id), signal };
        const attempt = await program.attempt(input, options);
        const { trace } = attempt;
        return attempt.state === "failed"
          ? { state: "ran", trace, failure: attempt.failure, line: () => ({ id }) }
          : { state: "ran", trace, failure: null, line: () => ({ id, output: attempt.output }) };
      } catch (error) {
        return { state: "ran", trace: null, failure: failureOf(error), line: () => ({ id }) };
      }
    },
    failedLine: (message) => ({ id, error: message }),
  }));
}
