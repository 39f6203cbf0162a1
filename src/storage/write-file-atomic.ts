import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { privateModes } from "./private-files.ts";
import { writeFault } from "./write-fault.ts";

/**
 * Replaces a file completely or not at all: writes a file beside it, syncs, then renames. Creates
 * missing folders; a failed write leaves no temporary file.
 *
 * @param options.isShared whether others may read it, as far as the umask allows; otherwise only
 * its owner can, since it may hold prompts or replies
 * @throws EspalierError `write-failed`
 */
export async function writeFileAtomic(
  path: string,
  content: string,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Promise<void> {
  const { mkdir, open, rename, rm } = await import("node:fs/promises");
  const modes = isShared ? { file: 0o666, folder: 0o777 } : privateModes;
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: modes.folder });
    // Fails if the name is taken, even by a link.
    const file = await open(temporary, "wx", modes.file);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    // If the file could not be created, there is nothing to remove: the first error says why.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writeFault(error, path, {
      kept: "The previous file is unchanged.",
      next: "try again",
    });
  }
}
