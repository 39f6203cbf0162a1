import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { EspalierError } from "../../errors/index.ts";
import { isObject, jsonOrUndefined } from "../../internal/index.ts";
import { runFolderFiles } from "../../optimizer/files.ts";
import { fileLock, writeFileAtomic } from "../../storage/index.ts";

/**
 * The run's name on tracking servers, drawn once and kept in its folder.
 *
 * @throws EspalierError `file-malformed`
 */
export async function runKey(folder: string): Promise<string> {
  const { tracking: path } = runFolderFiles(folder);
  if (existsSync(path)) {
    const value = jsonOrUndefined(readFileSync(path, "utf8"));
    const { format: held, key } = isObject(value) ? (value as Record<string, unknown>) : {};
    if (held === format && typeof key === "string" && /^[0-9a-f-]{36}$/.test(key)) return key;
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file with the run's name on tracking servers is malformed",
      where: path,
      expected: `{ "format": "${format}", "key": "..." }`,
      fix: "Restore it, or remove it: the run is then sent as a new one.",
    });
  }
  const key = randomUUID();
  await writeFileAtomic(path, `${JSON.stringify({ format, key })}\n`);
  return key;
}

const format = "espalier-tracking/1";

/**
 * Held by the process that sends a run: two at a time would make everything twice.
 *
 * @throws EspalierError `run-locked`
 */
export function trackingLock(folder: string): Disposable {
  return fileLock(
    runFolderFiles(folder).trackingLock,
    (why, cause) =>
      new EspalierError({
        code: "run-locked",
        problem: "Another process is sending the run to a tracking server",
        where: folder,
        expected: "one process at a time",
        got: why.kind === "held" ? why.holder : why.problem,
        fix: "Wait for it: what it does not send, this command can send afterwards.",
        cause,
      }),
  );
}
