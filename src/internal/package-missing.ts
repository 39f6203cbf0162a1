/** Whether an import failed because this very package is not installed. */
export function isPackageMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code !== "ERR_MODULE_NOT_FOUND" && error.code !== "MODULE_NOT_FOUND") return false;
  // The only place of the name; a file of the package that is missing is named by its path.
  return [`'${name}'`, `"${name}"`, `'${name}/`, `"${name}/`].some((quoted) =>
    error.message.includes(quoted),
  );
}
