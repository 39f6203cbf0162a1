import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { privateModes } from "./private-files.ts";

/**
 * Replaces a file whole or not at all: written beside it, synced, then renamed over it. Creates
 * missing folders; a failed write leaves no temporary file.
 *
 * @param options.isShared whether others may read it, as far as the umask lets them; else it is for its
 *   owner only, since it may hold prompts or replies
 */
export async function writeFileAtomic(
  path: string,
  content: string,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Promise<void> {
  const modes = isShared ? { file: 0o666, folder: 0o777 } : privateModes;
  await mkdir(dirname(path), { recursive: true, mode: modes.folder });
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
  // Fails where the name is taken, by a link as well.
  const file = await open(temporary, "wx", modes.file);
  try {
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
