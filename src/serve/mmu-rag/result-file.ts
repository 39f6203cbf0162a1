import { fdatasyncSync, writeSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import { parseJson } from "../../internal/index.ts";
import { privateModes, writeFault, writeFileAtomic } from "../../storage/index.ts";
import type { ResultLine } from "./result-line.ts";
import { resultLock } from "./result-lock.ts";

/** The result of a batch, line by line; what is in it survives a kill. */
export interface ResultFile extends AsyncDisposable {
  /** Ids of the questions that need not be asked again, as texts. */
  readonly done: ReadonlySet<string>;
  /**
   * A line is on the disk when this returns.
   *
   * @throws EspalierError `write-failed`, and then no further line may follow
   */
  append(line: ResultLine): void;
  /** Puts the lines into the order of these ids; others stay behind them, in the order they have. */
  putInOrder(iids: readonly (string | number)[]): Promise<void>;
}

const written = z.looseObject({
  query_id: z.union([z.string(), z.number()]),
  generated_response: z.string(),
});

/**
 * Opens a result to be continued, or begins one, for this process alone. A last line that a kill tore is
 * cut off; its question is asked again.
 *
 * @throws EspalierError `run-locked`; `file-malformed` for any other line that is no result, with the line
 */
export async function openResultFile(path: string): Promise<ResultFile> {
  await using opening = new AsyncDisposableStack();
  opening.use(resultLock(path));
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  const lines = content.split("\n");
  const last = lines.pop() ?? "";
  const ids = lines.flatMap((line, index) =>
    line.trim() === "" ? [] : [idIn(line) ?? refuse(path, index + 1)],
  );
  const lastId = idIn(last);
  const file = opening.use(await open(path, "a", privateModes.file));
  if (lastId !== undefined) await file.write("\n");
  else if (last !== "") await file.truncate(Buffer.byteLength(content.slice(0, -last.length)));
  const opened = opening.move();
  return {
    done: new Set([...ids, ...(lastId === undefined ? [] : [lastId])]),
    append: (line) => {
      let rest = Buffer.from(`${JSON.stringify(line)}\n`);
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(file.fd, rest));
        fdatasyncSync(file.fd);
      } catch (error) {
        throw writeFault(error, path, {
          kept: "The lines before are kept.",
          next: "give the same command again",
        });
      }
    },
    putInOrder: async (iids) => {
      const places = new Map(iids.map((iid, index) => [String(iid), index]));
      const placeOf = (line: string): number => places.get(idIn(line) ?? "") ?? iids.length;
      const all = (await readFile(path, "utf8")).split("\n").filter((line) => line.trim() !== "");
      const sorted = all.toSorted((left, right) => placeOf(left) - placeOf(right));
      await writeFileAtomic(path, sorted.map((line) => `${line}\n`).join(""));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function idIn(line: string): string | undefined {
  try {
    const parsed = written.safeParse(parseJson(line));
    return parsed.success ? String(parsed.data.query_id) : undefined;
  } catch {
    return undefined;
  }
}

function refuse(path: string, line: number): never {
  throw new EspalierError({
    code: "file-malformed",
    problem: "The file to continue holds a line that is no result",
    expected: "one object with `query_id` and `generated_response` a line",
    where: `${path}:${line}`,
    fix: "Correct or remove the line, or name another file.",
  });
}
