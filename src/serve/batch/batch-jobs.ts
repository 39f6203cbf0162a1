import { z } from "zod";
import type { Trace, LanguageModel } from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import { failureOf } from "../../errors/index.ts";
import { checkCount } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { withOneInput } from "../model/chat-model.ts";
import { runChat } from "../model/chat-run.ts";
import { inputTooLong, excessSentence } from "../model/input-too-long.ts";
import type { BatchFormat, BatchQuestion, LineFormat } from "../protocol/protocol-adapter.ts";
import { inputExcess } from "../../signature/index.ts";

/** One row of a batch, ready to run. */
export interface BatchJob {
  readonly id: string | number;
  /** Never rejects. */
  run(signal: AbortSignal): Promise<JobOutcome>;
  failedLine(message: string): object;
}

/** How the run of a row ended. */
export type JobOutcome =
  /** The row cannot be run; `why` is a sentence for its line. */
  | { readonly state: "refused"; readonly why: string }
  | {
      readonly state: "ran";
      /** `null` if the run did not end. */
      readonly trace: Trace | null;
      readonly failure: Failure | null;
      /** The line of a run that did not fail. */
      line(): object;
    };

/**
 * Questions of a protocol, answered by a chat model. The id of a row determines its seed: a
 * repeated question samples the same.
 *
 * @throws EspalierError `option-invalid`
 */
export function chatJobs(
  questions: readonly BatchQuestion[],
  {
    model,
    lm,
    maxInput,
    format,
  }: {
    readonly model: ChatModel;
    readonly lm: LanguageModel;
    /** Maximum UTF-16 code units of a text whose field has no maximum of its own; at least 1. */
    readonly maxInput: number;
    readonly format: BatchFormat;
  },
): readonly BatchJob[] {
  checkCount("maxInput", maxInput);
  return questions.map(({ id, question, history = [] }) => ({
    id,
    run: async (signal) => {
      const given = withOneInput(model);
      const asked = { question, history, images: [], askedAt: new Date() };
      const why = inputTooLong(given, asked, maxInput);
      if (why !== null) return { state: "refused", why };
      const outcome = await runChat(given, { ...asked, id: String(id), lm, signal });
      const { trace, failure = null } = outcome;
      return { state: "ran", trace, failure, line: () => format.lineOf(id, outcome) };
    },
    failedLine: (message) => format.failedLine(id, message),
  }));
}

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
