/**
 * What comes out: a program's texts and parameters as one JSON file that serving loads and runs, with
 * what they were measured with and on. The part that was compiled is hashed and holds nothing that
 * time, faults or concurrency can change; what it cost stands beside it. Loading refuses a program that
 * is not the one that was compiled, and names what differs. Knows programs and evaluations; knows no
 * study, no optimizer and no terminal. An artifact is frozen plain JSON.
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
export { artifactFormat } from "./file/artifact.ts";
export { artifactCreatedAt } from "./artifact-created-at.ts";
export type { ArtifactDifference } from "./artifact-difference.ts";
export { artifactDifference } from "./artifact-difference.ts";
export { artifactScore } from "./compile/artifact-score.ts";
export type { AxOptimization, AxOptimizationOptions } from "./ax-optimization.ts";
export { axOptimization } from "./ax-optimization.ts";
export type { CompileArtifactOptions, UsedDataset } from "./compile/compile-artifact.ts";
export { compileArtifact } from "./compile/compile-artifact.ts";
export type { Drift } from "./load/drift.ts";
export { driftSentence } from "./load/drift.ts";
export type { ProgramDeclaration } from "./load/load-artifact.ts";
export { loadArtifact, programDrift } from "./load/load-artifact.ts";
export type { PlainMessages, PlainPrompt } from "./plain-messages.ts";
export { plainMessages } from "./plain-messages.ts";
export { readArtifact } from "./file/read-artifact.ts";
export { refuseRehearsed } from "./load/refuse-rehearsed.ts";
export type { RecordedInputs } from "./compile/recorded-inputs.ts";
export { recordedInputs } from "./compile/recorded-inputs.ts";
export type {
  Alias,
  AliasMove,
  Aliases,
  MoveNote,
  Registry,
  RegistryOptions,
  ResolvedArtifact,
  ResolveOptions,
  SigningKey,
  StrictOptions,
  TrustedKey,
  VerifyOptions,
  VersionEntry,
  VersionReport,
} from "./registry/index.ts";
export {
  aliasNames,
  openRegistry,
  readSigningKey,
  readTrustedKeys,
  versionOf,
} from "./registry/index.ts";
export { writeArtifact } from "./file/write-artifact.ts";
