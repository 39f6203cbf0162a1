/**
 * Whether a text names a package or a path relative to the artifact. A URL would tie the artifact to one
 * machine, and one that holds code (`data:`) would make running an artifact run what it says.
 */
export function isModuleSpecifier(text: string): boolean {
  if (/^\.{1,2}\/[^:\\]*$/.test(text)) return true;
  // A package's name must not lead out of the package.
  const isPackage = /^@?[A-Za-z0-9][^:\\%]*$/.test(text);
  return isPackage && !text.split("/").some((part) => part === "." || part === "..");
}
