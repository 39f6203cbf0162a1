import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file kept beside the repository, in `../shared/data`; a fresh clone has none. */
export interface SharedData {
  readonly file: string;
  readonly isAbsent: boolean;
  /** Stands at the end of a test's name, so that a skipped test says why. */
  readonly note: string;
}

/** For `test.skipIf(data.isAbsent)("does something" + data.note, ...)`. */
export function sharedData(path: string): SharedData {
  const file = fileURLToPath(new URL(`../../../shared/data/${path}`, import.meta.url));
  const isAbsent = !existsSync(file);
  const note = isAbsent ? ` [SKIPPED: ../shared/data/${path} is not beside the repository]` : "";
  return { file, isAbsent, note };
}
