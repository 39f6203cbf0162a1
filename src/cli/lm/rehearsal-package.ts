import { EspalierError } from "../../errors/index.ts";
import type { MockModels } from "../../servers/index.ts";
import { optionalPackage } from "../packages/optional-package.ts";

const name = "@espalier/rehearsal";

/**
 * The rehearsal LM's package, which is installed for development only.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export function rehearsalPackage(): Promise<typeof import("@espalier/rehearsal")> {
  return optionalPackage(() => import("@espalier/rehearsal"), {
    name,
    brings: "The rehearsal LM",
    expected: "--lm URL, the base URL of an OpenAI-compatible server, or that package",
    fix: `Name a server with --lm URL, or run \`npm install --save-dev ${name}\`.`,
  });
}

/** Absent where the package is not installed; a part that needs it then says so. */
export async function mockModels(): Promise<MockModels | undefined> {
  try {
    return await rehearsalPackage();
  } catch (error) {
    if (EspalierError.isInstance(error)) return undefined;
    throw error;
  }
}
