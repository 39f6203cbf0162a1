/**
 * A second entry point of this folder, for reading and comparing artifacts as files. Loads no code
 * that makes or runs a program.
 */
export { artifactDifference } from "./artifact-difference.ts";
export { driftSentence } from "./load/drift.ts";
export { readArtifact } from "./file/artifact-file.ts";
export { aliasesAt, aliasNames, openRegistry } from "./registry/index.ts";
export { mocksOfArtifact } from "./origin-of-artifact.ts";
