import { EspalierError } from "../../errors/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import type { BatchJob, ChatModel, LineFormat } from "../../serve/index.ts";
import { chatJobs, programJobs, programLines, programRow, readRows } from "../../serve/index.ts";
import { loadProtocol } from "../load/load-protocol.ts";

/** The input and output formats of a batch. */
export interface BatchLines {
  readonly format: LineFormat;
  readonly ids: readonly (string | number)[];
  jobs(options: {
    readonly model: ChatModel;
    readonly lm: LanguageModel;
    readonly maxInput: number;
  }): readonly BatchJob[];
}

/**
 * Reads the rows of a batch: inputs of the model's program, or the rows of a protocol.
 *
 * @throws EspalierError `file-missing`, `file-malformed`; `usage-invalid` for a protocol without
 *   rows
 */
export async function batchLines(input: string, protocol: string | undefined): Promise<BatchLines> {
  if (protocol === undefined) {
    const rows = await readRows(input, programRow);
    return {
      format: programLines,
      ids: rows.map(({ id }) => id),
      jobs: (options) => programJobs(rows, options),
    };
  }
  const { batch: format } = await loadProtocol(protocol);
  if (format === undefined) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: "The protocol does not support batches",
      expected: "a protocol with `batch`; without --protocol, rows are inputs of the program",
      got: protocol,
    });
  }
  const questions = await readRows(input, format.row, format.idName);
  return {
    format,
    ids: questions.map(({ id }) => id),
    jobs: (options) => chatJobs(questions, { ...options, format }),
  };
}
