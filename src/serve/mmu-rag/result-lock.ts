import { EspalierError } from "../../errors/index.ts";
import { fileLock } from "../../storage/index.ts";

/**
 * Takes a batch's result for this process until disposed of: two that continue one file would both ask
 * what is left, and put it in order over each other's lines.
 *
 * @throws EspalierError `run-locked`
 */
export function resultLock(path: string): Disposable {
  const lock = `${path}.lock`;
  return fileLock(
    lock,
    (why, cause) =>
      new EspalierError({
        code: "run-locked",
        where: path,
        ...(why.kind === "held"
          ? {
              problem: "Another process is writing to the result",
              expected: "one batch at a time",
              got: `${why.holder}, which still runs`,
              fix: "Wait for it or end it, and give the same command again; or name another file.",
            }
          : {
              problem: "The result cannot be locked",
              expected: `a file \`${lock}\` that can be written and locked`,
              got: why.problem,
              fix: "Name a file on a local disk.",
            }),
        cause,
      }),
  );
}
