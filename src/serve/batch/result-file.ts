import { fdatasyncSync, writeSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { EspalierError } from "../../errors/index.ts";
import { isNoSuchFile, parseJson } from "../../internal/index.ts";
import {
  fileLock,
  privateModes,
  writeFault,
  writeFileAtomic,
  readFileWithin,
} from "../../storage/index.ts";
import type { LineFormat } from "../protocol/protocol-adapter.ts";
import { z } from "zod";
import type { LmIdentity } from "../../contract/index.ts";
import type { Mock } from "../../mock/index.ts";
import { playedParts, mockLabel } from "../../mock/index.ts";

/** The result of a batch, line by line; appended lines survive a kill. */
export interface ResultFile extends AsyncDisposable {
  /** Ids of the rows that need not run again, as texts. */
  readonly done: ReadonlySet<string>;
  /**
   * Appends a line, which is on the disk when this returns.
   *
   * @throws EspalierError `write-failed`; no further line may follow it
   */
  append(line: object): void;
  /** Sorts the lines into the order of these ids; other lines follow in their present order. */
  putInOrder(ids: readonly (string | number)[]): Promise<void>;
}

/**
 * Opens a result to continue it, or begins one, for this process alone. Cuts off a last line that a
 * kill left incomplete; its row runs again.
 *
 * @throws EspalierError `run-locked`; `file-malformed` for any other line that is not a result,
 *   with the line
 */
export async function openResultFile(path: string, format: LineFormat): Promise<ResultFile> {
  await using opening = new AsyncDisposableStack();
  opening.use(resultLock(path));
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    if (isNoSuchFile(error)) return "";
    throw error;
  });
  const lines = content.split("\n");
  const last = lines.pop() ?? "";
  const kept = lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [idIn(line, format) ?? refuse(path, index + 1, format)],
  );
  const lastId = idIn(last, format);
  const file = opening.use(await open(path, "a", privateModes.file));
  if (lastId !== undefined) await file.write("\n");
  else if (last !== "") await file.truncate(Buffer.byteLength(content.slice(0, -last.length)));
  const opened = opening.move();
  return {
    done: new Set([...kept, ...(lastId === undefined ? [] : [lastId])]),
    append: (line) => {
      let rest = Buffer.from(`${JSON.stringify(line)}\n`);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(file.fd, rest));
        fdatasyncSync(file.fd);
      } catch (error) {
        throw writeFault(error, path, {
          kept: "Earlier lines are kept.",
          next: "run the same command again",
        });
      }
    },
    putInOrder: async (ids) => {
      const places = new Map(ids.map((id, index) => [String(id), index]));
      const placeOf = (line: string): number => places.get(idIn(line, format) ?? "") ?? ids.length;
      const all = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
      const sorted = all.toSorted((left, right) => placeOf(left) - placeOf(right));
      await writeFileAtomic(path, sorted.map((line) => `${line}\n`).join(""));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function idIn(line: string, format: LineFormat): string | undefined {
  try {
    const id = format.idIn(parseJson(line));
    return id === undefined ? undefined : String(id);
  } catch {
    return undefined;
  }
}

function refuse(path: string, line: number, { shape }: LineFormat): never {
  throw new EspalierError({
    code: "file-malformed",
    problem: "The result file contains a line that is not a result",
    expected: shape,
    where: `${path}:${line}`,
    fix: "Correct or remove the line, or name another file.",
  });
}

/**
 * Locks a batch's result for this process until disposed of: two processes that continue one file
 * would both run the remaining rows, and overwrite each other's lines when they sort them.
 *
 * @throws EspalierError `run-locked`
 */
function resultLock(path: string): Disposable {
  const lock = `${path}.lock`;
  return fileLock(
    lock,
    (why, cause) =>
      new EspalierError({
        code: "run-locked",
        where: path,
        ...(why.kind === "held"
          ? {
              problem: "Another process is writing to the result file",
              expected: "one batch at a time",
              got: `${why.holder}, which is still running`,
              fix: "Wait for it or stop it, then run the same command again; or name another file.",
            }
          : {
              problem: "The result file cannot be locked",
              expected: `a file \`${lock}\` that can be written and locked`,
              got: why.problem,
              fix: "Name a file on a local disk.",
            }),
        cause,
      }),
  );
}

/** The settings that produced the lines of a batch's result; kept beside it as `FILE.run.json`. */
export interface BatchRecord {
  readonly model: string;
  /** Version of the model's program. */
  readonly version: string;
  readonly lm: { readonly provider: string; readonly model: string };
  /** LMs of single predictors, by name; absent if all use `lm`. */
  readonly lms?: Readonly<Record<string, LmIdentity>> | undefined;
  readonly isRehearsal: boolean;
  readonly mocks: readonly Mock[];
}

const identity = z.object({ provider: z.string(), model: z.string() });
const format = "espalier-batch/1";
const kept = z.object({
  format: z.literal(format),
  model: z.string(),
  version: z.string(),
  lm: identity,
  lms: z.record(z.string(), identity).optional(),
  isRehearsal: z.boolean(),
  mocks: z.array(identity.extend({ part: z.enum(playedParts) })),
});

/**
 * Ensures that a result continues with the settings it began with: in one file, lines of two models
 * would be indistinguishable.
 *
 * @param hasLines whether there is anything to continue
 * @throws EspalierError `journal-mismatch`
 */
export async function checkBatchRecord(
  path: string,
  record: BatchRecord,
  hasLines: boolean,
): Promise<void> {
  const place = `${path}.run.json`;
  if (hasLines) {
    const before = await readRecord(place);
    if (before === undefined || !isSame(before, record)) {
      throw new EspalierError({
        code: "journal-mismatch",
        problem: "The result file belongs to a different batch",
        expected: shown(record),
        got: before === undefined ? `no batch record in ${place}` : shown(before),
        where: path,
        fix: "Name another file, or remove this one to start over.",
      });
    }
  } else await writeFileAtomic(place, `${JSON.stringify({ format, ...record }, null, 2)}\n`);
}

async function readRecord(path: string): Promise<BatchRecord | undefined> {
  try {
    return kept.parse(parseJson(await readFileWithin(path, 2 ** 20)));
  } catch {
    return undefined;
  }
}

function isSame(left: BatchRecord, right: BatchRecord): boolean {
  return shown(left) === shown(right);
}

function shown({ model, version, lm, lms = {}, mocks }: BatchRecord): string {
  const own = Object.entries(lms).map(([name, each]) => `, ${name} by ${each.model}`);
  const { opening } = mockLabel(mocks);
  return `${model} (${version}) over ${lm.model} (${lm.provider})${own.join("")}${opening === "" ? "" : `, ${opening}`}`;
}
