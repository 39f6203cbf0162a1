/**
 * A second entry point of this folder, for reading and comparing artifacts as files. Loads no code
 * that makes or runs a program.
 */
export { artifactDifference } from "./artifact-difference.ts";
export { driftSentence } from "./load/drift.ts";
export { readArtifact } from "./file/artifact-file.ts";
export { aliasNames, aliasesAt } from "./registry/aliases.ts";
export { openRegistry } from "./registry/open-registry.ts";
export { mocksOfArtifact } from "./file/artifact.ts";
