/**
 * The output of optimization: a program's texts and parameters as one JSON file that serving loads
 * and runs, with the LM and data of its measurements. The compiled part is hashed and holds nothing
 * that time, faults or concurrency can change; costs are stored beside it. Loading rejects a
 * program that differs from the compiled one, and names the differences. Knows programs and
 * evaluations; knows nothing of studies, optimizers or terminals. An artifact is frozen plain JSON.
 */
export type {
  Artifact,
  ArtifactDataset,
  ArtifactOptimizer,
  ArtifactPredictor,
  ArtifactSample,
  ArtifactScore,
  ArtifactSignature,
  Compiled,
  LineageEntry,
} from "./file/artifact.ts";
export { artifactFormat, artifactCreatedAt, mocksOfArtifact } from "./file/artifact.ts";
export type { ArtifactDifference } from "./artifact-difference.ts";
export { artifactDifference } from "./artifact-difference.ts";
export {
  artifactScore,
  compileArtifact,
  recordedInputs,
  recordedVectors,
} from "./compile/compile-artifact.ts";
export type {
  CompileArtifactOptions,
  RecordedInputs,
  RecordedVectors,
  UsedDataset,
} from "./compile/compile-artifact.ts";
export type { Drift } from "./load/drift.ts";
export { driftSentence } from "./load/drift.ts";
export type { ProgramDeclaration } from "./load/load-artifact.ts";
export { embedderOf, loadArtifact, programDrift, refuseRehearsed } from "./load/load-artifact.ts";
export type { PlainMessages, PlainPrompt } from "./plain-messages.ts";
export { plainMessages } from "./plain-messages.ts";
export { artifactIn, moduleFrom, readArtifact, writeArtifact } from "./file/artifact-file.ts";
export type { Alias, AliasMove, Aliases, MoveNote } from "./registry/aliases.ts";
export type {
  Registry,
  RegistryOptions,
  ResolvedArtifact,
  VerifyOptions,
  VersionEntry,
  VersionReport,
} from "./registry/registry.ts";
export { aliasNames, aliasesAt } from "./registry/aliases.ts";
export { openRegistry } from "./registry/open-registry.ts";
export { versionOf } from "./registry/program-folder.ts";
