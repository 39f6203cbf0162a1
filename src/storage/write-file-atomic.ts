import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { privateModes } from "./private-files.ts";
import { writeFault } from "./write-fault.ts";

/**
 * Replaces a file whole or not at all: written beside it, synced, then renamed over it. Creates
 * missing folders; a failed write leaves no temporary file.
 *
 * @param options.isShared whether others may read it, as far as the umask lets them; else it is for
 *   its owner only, since it may hold prompts or replies
 * @throws EspalierError `write-failed`
 */
export async function writeFileAtomic(
  path: string,
  content: string,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Promise<void> {
  const modes = isShared ? { file: 0o666, folder: 0o777 } : privateModes;
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: modes.folder });
    // Fails where the name is taken, by a link as well.
    const file = await open(temporary, "wx", modes.file);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // What could not be made need not be removed: the first error says why.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writeFault(error, path, {
      kept: "What stood there before is as it was.",
      next: "try again",
    });
  }
}
