import { EspalierError } from "../../errors/index.ts";
import type { VerifyOptions } from "./registry.ts";
import type { ProgramPlace } from "./version-files.ts";
import { readVersion } from "./version-files.ts";

/** The problem of one version, in its file or its match with the program; none if it is valid. */
export async function problemsOf(
  place: ProgramPlace,
  version: string,
  { program }: Omit<VerifyOptions, "name">,
): Promise<readonly EspalierError[]> {
  try {
    const artifact = await readVersion(place, version);
    if (program !== undefined) {
      // Loaded lazily: callers with a program have already loaded most of it, and listing versions
      // needs none of it.
      const { checkDrift } = await import("../load/load-artifact.ts");
      checkDrift(artifact, program);
    }
    return [];
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    return [error];
  }
}
