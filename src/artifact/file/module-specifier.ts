/**
 * Whether a text names a package or a path relative to the artifact. A URL would tie the artifact
 * to one machine, and a `data:` URL would let an artifact run arbitrary code.
 */
export function isModuleSpecifier(text: string): boolean {
  if (/^\.{1,2}\/[^:\\]*$/.test(text)) return true;
  // A package name must not lead outside the package.
  const isPackage = /^@?[A-Za-z0-9][^:\\%]*$/.test(text);
  return isPackage && !text.split("/").some((part) => part === "." || part === "..");
}
