import { EspalierError } from "../../errors/index.ts";
import type { VerifyOptions, VersionReport } from "./registry.ts";
import { trustedSigners } from "./signatures.ts";
import type { ProgramPlace } from "./version-files.ts";
import { readVersion } from "./version-files.ts";

/** All problems of one version: in its file, its signatures, and its match with the program. */
export async function verifyVersion(
  place: ProgramPlace,
  version: string,
  { trustedKeys, program }: Omit<VerifyOptions, "name">,
): Promise<Pick<VersionReport, "signedBy" | "problems">> {
  const problems: EspalierError[] = [];
  const attempt = async <TMade>(make: () => TMade | Promise<TMade>): Promise<TMade | null> => {
    try {
      return await make();
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error;
      problems.push(error);
      return null;
    }
  };
  const artifact = await attempt(() => readVersion(place, version));
  if (artifact === null) return { signedBy: [], problems };
  const signedBy =
    trustedKeys === undefined
      ? []
      : await attempt(() => trustedSigners(place, version, artifact.hash, trustedKeys));
  if (program !== undefined) {
    // Loaded lazily: callers with a program have already loaded most of it, and listing versions
    // needs none of it.
    const { checkDrift } = await import("../load/load-artifact.ts");
    await attempt(() => checkDrift(artifact, program));
  }
  return { signedBy: signedBy ?? [], problems };
}
