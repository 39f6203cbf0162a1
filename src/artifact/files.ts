/**
 * The second door of this folder, to what reads and compares artifacts as files. Loads nothing that makes
 * or runs a program.
 */
export { artifactDifference } from "./artifact-difference.ts";
export { driftSentence } from "./load/drift.ts";
export { readArtifact } from "./file/read-artifact.ts";
export { aliasNames, openRegistry, readSigningKey, readTrustedKeys } from "./registry/index.ts";
