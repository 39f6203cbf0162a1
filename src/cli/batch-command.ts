import { openRegistry } from "../artifact/files.ts";
import { EspalierError } from "../errors/index.ts";
import { mapValues } from "../internal/index.ts";
import type { BatchJob, BatchOutcome, ChatModel, LineFormat, Serving } from "../serve/index.ts";
import {
  ApiError,
  chatJobs,
  checkBatchRecord,
  modelTable,
  openResultFile,
  programJobs,
  programLines,
  programRow,
  readRows,
  runBatch,
} from "../serve/index.ts";
import type { AnyCommand } from "./arguments/arguments.ts";
import {
  jsonArgument,
  lmArguments,
  maxInputArgument,
  rehearsalArguments,
  serversArguments,
  wholeNumber,
} from "./arguments/arguments.ts";
import { command } from "./arguments/command.ts";
import { checkWritable } from "./arguments/check-writable.ts";
import { exitCodes } from "./arguments/exit-code.ts";
import { abortOnInterrupt } from "./arguments/interrupt.ts";
import { loadProtocol, protocolArgument } from "./load/load-protocol.ts";
import type { LanguageModel } from "../contract/index.ts";
import { loadServing } from "./load/load-serving.ts";
import { announceParts, openLms } from "./lm/open-lms.ts";
import { runServers } from "./lm/run-servers.ts";
import { timedProgressLine } from "./terminal/progress-line.ts";
import { rehearsalGate } from "./lm/rehearsal-gate.ts";
import { joinLines, print, printToStderr } from "./terminal/terminal.ts";
import { distinctMocks, isRehearsal, mockLabel, mockLms } from "../mock/index.ts";

const { lm, concurrency, patience, cache, candidate } = lmArguments;

/** `espalier batch`: runs a file of rows through a model, with one line of output per row. */
export const batchSubcommand: AnyCommand = command({
  args: {
    serving: {
      type: "positional",
      description: "File that default-exports a `serving()`, a study or a program; or an artifact",
      valueHint: "FILE|STUDY|PROGRAM|ARTIFACT.json",
      required: true,
    },
    model: {
      type: "string",
      description: "Chat model to use, with or without a version",
      valueHint: "ID",
      required: true,
    },
    input: {
      type: "string",
      description:
        'JSONL file of rows: { "id", "input" } on each line, or the format of --protocol',
      valueHint: "FILE",
      required: true,
    },
    out: {
      type: "string",
      description: "JSONL file of results, one line per row; adds rows that it lacks",
      valueHint: "FILE",
      required: true,
    },
    protocol: {
      ...protocolArgument,
      description: "File that default-exports a protocol with its own row format",
    },
    artifacts: {
      type: "string",
      description: "Registry of artifacts; without it, programs run as declared",
      valueHint: "FOLDER",
    },
    ...rehearsalArguments,
    "max-input": maxInputArgument,
    ...serversArguments,
    lm,
    concurrency: {
      ...concurrency,
      description: "Maximum number of concurrent rows, and of concurrent calls",
    },
    patience,
    cache,
    candidate,
    ...jsonArgument,
  },
  run: async (given) => {
    const lmGiven = { ...given, model: undefined, modelOption: "--lm URL#MODEL" };
    const servers = await runServers(lmGiven, { answersPeople: true });
    const serving = await loadServing(given.serving, {
      parts: servers.parts,
      candidate: given.candidate,
      artifacts: given.artifacts,
      chosen: given.model,
    });
    const chosen = await chosenModel(serving, given.model, given.artifacts);
    const rows = await batchLines(given.input, given.protocol);
    await checkWritable("out", given.out);
    await using opened = await openLms(servers, lmGiven, {
      programs: [chosen.program],
      own: serving.lm,
    });
    const answering = serving.lm ?? opened.lm;
    const model = { ...chosen, lms: { ...opened.lms, ...chosen.lms } };
    const asked = [answering, ...Object.values(model.lms)];
    if (chosen.artifact !== undefined) rehearsalGate(asked, given)?.(chosen.artifact);
    await using results = await openResultFile(given.out, rows.format);
    const { provider, model: lmModel } = answering.identity;
    const mocks = distinctMocks([...mockLms(asked), ...servers.parts.mocks()]);
    announceParts({ lms: opened.lms, mocks });
    const { lms } = opened.report();
    const record = {
      model: chosen.id,
      version: chosen.version,
      lm: { provider, model: lmModel },
      ...(lms && { lms: mapValues(lms, ({ provider, model }) => ({ provider, model })) }),
      isRehearsal: isRehearsal(mocks),
      mocks,
    };
    await checkBatchRecord(given.out, record, results.done.size > 0);

    using interrupt = abortOnInterrupt();
    const jobs = rows.jobs({
      model,
      lm: answering,
      maxInput: wholeNumber("max-input", given["max-input"], 1),
    });
    const open = jobs.filter(({ id }) => !results.done.has(String(id)));
    const kept = jobs.length - open.length;
    if (kept > 0) printToStderr(`${given.out}: ${kept} of ${jobs.length} rows are already done`);
    using progress = timedProgressLine(chosen.id);
    const total = open.length;
    if (total > 0) progress.show({ done: 0, total });
    const outcome = await runBatch(open, {
      concurrency: opened.concurrency,
      signal: interrupt.signal,
      onLine: (line) => results.append(line),
      onTried: (done) => progress.show({ done, total }),
    });
    if (outcome.left === 0) await results.putInOrder(rows.ids);
    progress[Symbol.dispose]();

    if (given.json) {
      const report = opened.report();
      print(JSON.stringify({ ...outcome, kept, ...record, ledger: report.ledger }));
    } else print(batchText(given.out, outcome, kept));
    process.exitCode = exitCodeAfter(outcome);
    if (outcome.left > 0) printToStderr("Run the same command again for the rest.");
    const { warning } = mockLabel(mocks);
    if (warning !== "") printToStderr(warning);
  },
});

async function chosenModel(
  serving: Serving,
  name: string,
  artifacts: string | undefined,
): Promise<ChatModel> {
  const table = await modelTable({
    models: serving.models,
    registry: artifacts === undefined ? undefined : openRegistry(artifacts),
    measured: (each) => each,
    onFault: (_id, error) => {
      throw error;
    },
  });
  try {
    return await table.resolve(name);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new EspalierError({
      code: "usage-invalid",
      problem: "--model names no chat model that is served here",
      expected: (await table.list()).map((each) => each.name).join(", "),
      got: `"${name}"`,
      cause: error,
    });
  }
}

function batchText(out: string, { written, failed, left, stopped }: BatchOutcome, kept: number) {
  return joinLines([
    `${out}: ${written} answered${kept === 0 ? "" : `, ${kept} kept`}`,
    ...(failed === 0 ? [] : [`the program failed on ${failed} of them`]),
    ...(left === 0 ? [] : [`${left} not processed`]),
    ...(stopped === null ? [] : [`stopped early: ${stopped.code}: ${stopped.message}`]),
  ]);
}

function exitCodeAfter({ left, stopped }: BatchOutcome): number {
  if (stopped?.kind === "aborted") return exitCodes.aborted;
  if (stopped?.kind === "budget") return exitCodes.budget;
  return left > 0 ? exitCodes.infrastructure : exitCodes.done;
}

/** The input and output formats of a batch. */
interface BatchLines {
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
async function batchLines(input: string, protocol: string | undefined): Promise<BatchLines> {
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
