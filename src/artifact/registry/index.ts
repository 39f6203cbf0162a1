/**
 * Compiled programs in a folder: immutable files named after their content, and beside them which of
 * them is in production, which is its candidate, and how that came about. Every name is checked before
 * it becomes a path, files are replaced whole, and writers take turns. Knows no server: what to do when
 * a version cannot be had is for whoever asks.
 */
export type { Alias, AliasMove, Aliases, MoveNote } from "./aliases.ts";
export { aliasNames } from "./aliases.ts";
export { openRegistry } from "./open-registry.ts";
export type {
  Registry,
  RegistryOptions,
  ResolvedArtifact,
  ResolveOptions,
  StrictOptions,
  VerifyOptions,
  VersionEntry,
  VersionReport,
} from "./registry.ts";
export type { SigningKey, TrustedKey } from "./signing-keys.ts";
export { readSigningKey, readTrustedKeys } from "./signing-keys.ts";
export { versionOf } from "./version-name.ts";
