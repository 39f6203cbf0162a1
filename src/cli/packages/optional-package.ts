import { EspalierError } from "../../errors/index.ts";
import { isPackageMissing } from "../../internal/index.ts";

export interface OptionalPackage {
  /** As npm installs it. */
  readonly name: string;
  /** What it brings, as the subject of a sentence: "The rehearsal LM". */
  readonly brings: string;
  /** What else would do. @default the package */
  readonly expected?: string;
  /** @default to install it */
  readonly fix?: string;
}

/**
 * Loads a package of the workspace that a command asks for, which not everybody installs.
 *
 * @throws EspalierError `usage-invalid` where it is not installed
 */
export async function optionalPackage<TPackage>(
  load: () => Promise<TPackage>,
  { name, brings, expected, fix = `Run \`npm install ${name}\`.` }: OptionalPackage,
): Promise<TPackage> {
  try {
    return await load();
  } catch (error) {
    if (!isPackageMissing(error, name)) throw error;
    throw new EspalierError({
      code: "usage-invalid",
      problem: `${brings} is not installed: package \`${name}\` is missing`,
      ...(expected !== undefined && { expected }),
      fix,
      cause: error,
    });
  }
}
