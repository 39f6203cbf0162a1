import { EspalierError } from "../errors/index.ts";

export interface OptionalPackages {
  /** What needs them, with the verb: "MCP servers need". */
  readonly need: string;
  /** As npm installs them; the first is what is loaded, the others come with it. */
  readonly packages: readonly [string, ...string[]];
  readonly where?: string;
}

/**
 * Loads packages that only those install who need them. An error of a package that is there, or
 * that lacks something of its own, passes unchanged.
 *
 * @throws EspalierError `part-missing`
 */
export async function optionalPackages<TLoaded>(
  load: () => Promise<TLoaded>,
  { need, packages, where }: OptionalPackages,
): Promise<TLoaded> {
  try {
    return await load();
  } catch (cause) {
    if (!packages.some((name) => isPackageMissing(cause, name))) throw cause;
    const [what, them] = packages.length === 1 ? ["package", "it"] : ["packages", "them"];
    throw new EspalierError({
      code: "part-missing",
      problem: `${need} the ${what} ${packages.map((name) => `\`${name}\``).join(" and ")}`,
      ...(where !== undefined && { where }),
      fix: `Install ${them}: npm install ${packages.join(" ")}`,
      cause,
    });
  }
}

/** Whether an import failed because this very package is not installed. */
export function isPackageMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") return false;
  // The only place of the name; a file of the package that is missing is named by its path.
  return [`'${name}'`, `"${name}"`, `'${name}/`, `"${name}/`].some((quoted) =>
    error.message.includes(quoted),
  );
}
