import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { privateModes } from "../../storage/index.ts";

/**
 * Checks that a file can be written before any cost is incurred. Creates its folder.
 *
 * @param options.isShared as for `writeFileAtomic`
 * @throws EspalierError `usage-invalid`
 */
export async function checkWritable(
  option: string,
  path: string | undefined,
  { isShared = false }: { readonly isShared?: boolean } = {},
): Promise<void> {
  if (path === undefined) return;
  try {
    // Files are written beside their target and renamed over it, so the folder must be writable.
    await mkdir(dirname(path), {
      recursive: true,
      ...(!isShared && { mode: privateModes.folder }),
    });
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw new EspalierError({
      code: "usage-invalid",
      problem: `--${option} names a file that cannot be written`,
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
  const found = await stat(path).catch(() => undefined);
  // Renaming over a device would replace it.
  if (!/[/\\]$/.test(path) && (found === undefined || found.isFile())) return;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `--${option} needs the path of a file`,
    got: `"${path}", which is not a regular file`,
  });
}
