/**
 * Compiled programs in a folder: immutable files named after their content, and beside them a
 * record of which version is in production, which is the candidate, and their history. Every name
 * is checked before it becomes a path, files are replaced atomically, and writers lock. Knows
 * nothing of servers: callers decide what to do if a version is unavailable.
 */
export type { Alias, AliasMove, Aliases, MoveNote } from "./aliases.ts";
export { aliasNames } from "./aliases.ts";
export { aliasesAt } from "./aliases-at.ts";
export { openRegistry } from "./open-registry.ts";
export type {
  Registry,
  RegistryOptions,
  ResolvedArtifact,
  VerifyOptions,
  VersionEntry,
  VersionReport,
} from "./registry.ts";
export { versionOf } from "./version-name.ts";
