import { EspalierError } from "../../errors/index.ts";
import type { WorkLog } from "../run-folder/index.ts";

/**
 * Of what a run ended with, what was said of a file that could not be written, with how much of it
 * is kept.
 */
export function unwrittenRun(errors: readonly unknown[], log: WorkLog): EspalierError | undefined {
  const cause = errors.flatMap((error) => fileFaultIn(error) ?? []).at(0);
  if (cause === undefined) return undefined;
  const { replies, unkept } = log.counts;
  const { fix = "", ...report } = cause.report;
  const again =
    unkept === 0 ? "no call was in flight" : `${unkept} calls in flight will be asked again`;
  return new EspalierError({
    ...report,
    code: "write-failed",
    fix: `The run stopped: ${replies} replies are on file and will not be asked again, ${again}. ${fix}`,
    cause,
  });
}

/** An evaluation says of it only that it was stopped, and by what. */
function fileFaultIn(error: unknown): EspalierError | undefined {
  if (!EspalierError.isInstance(error) || error.code !== "write-failed") return undefined;
  return fileFaultIn(error.cause) ?? error;
}
