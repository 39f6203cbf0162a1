/**
 * Whether a text names a package or a path relative to the artifact. A URL would tie the artifact to one
 * machine, and one that holds code (`data:`) would make running an artifact run what it says.
 */
export function isModuleSpecifier(text: string): boolean {
  return /^(\.{1,2}\/|@?[A-Za-z0-9])[^:\\]*$/.test(text);
}
