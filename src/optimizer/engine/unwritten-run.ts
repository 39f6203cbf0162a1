import { EspalierError } from "../../errors/index.ts";
import type { WorkLog } from "../run-folder/index.ts";

/**
 * Picks the error about an unwritable file from the errors that ended a run, and adds how much of
 * the run is saved.
 */
export function unwrittenRun(errors: readonly unknown[], log: WorkLog): EspalierError | undefined {
  const cause = errors.flatMap((error) => fileFaultIn(error) ?? []).at(0);
  if (cause === undefined) return undefined;
  const { replies, unsaved } = log.counts;
  const { fix = "", ...report } = cause.report;
  const again =
    unsaved === 0 ? "no call was in flight" : `${unsaved} calls in flight will be repeated`;
  return new EspalierError({
    ...report,
    code: "write-failed",
    fix: `The run stopped: ${replies} replies are saved and will not be requested again, ${again}. ${fix}`,
    cause,
  });
}

/** An evaluation wraps the cause: it only reports that it was stopped, and by what. */
function fileFaultIn(error: unknown): EspalierError | undefined {
  if (!EspalierError.isInstance(error) || error.code !== "write-failed") return undefined;
  return fileFaultIn(error.cause) ?? error;
}
