import type { EspalierError } from "../../errors/index.ts";
import type { Artifact } from "../file/artifact.ts";
import type { ProgramDeclaration } from "../load/load-artifact.ts";
import type { Alias, AliasMove, Aliases, MoveNote } from "./aliases.ts";

/**
 * Compiled programs by program and version. A version's `name` is `production`, `candidate`, or the
 * first 4 or more digits of its content hash.
 *
 * Every method rejects with `registry-name-invalid` for a name that might lead outside the folder.
 * Reading takes no lock and needs no write permission.
 */
export interface Registry {
  readonly folder: string;
  /** Names of all programs, in order. */
  programs(): Promise<readonly string[]>;
  /**
   * All versions of a program, ordered by name. An unreadable version has its error; an unreadable
   * alias file is an additional last entry.
   */
  list(program: string): Promise<readonly VersionEntry[]>;
  /** @throws EspalierError `artifact-unknown`, `artifact-invalid`, `file-malformed` */
  resolve(program: string, name: string): Promise<ResolvedArtifact>;
  /**
   * Stores an artifact under its program's name. Adding the same content again changes nothing,
   * whatever its `run`.
   *
   * @throws EspalierError `artifact-conflict` if different content has its name; `artifact-invalid`
   * if its hash does not match its content
   */
  add(artifact: Artifact): Promise<{ readonly version: string; readonly isNew: boolean }>;
  /**
   * Points an alias at a version, which must be valid.
   *
   * @returns `null` if it already named that version; nothing is then recorded
   */
  promote(program: string, name: string, alias: Alias, note?: MoveNote): Promise<AliasMove | null>;
  /**
   * Undoes the last promotion in effect; another rollback goes further back.
   *
   * @throws EspalierError `artifact-unknown` if there is no earlier version; as `resolve` for that
   * version
   */
  rollback(program: string, alias: Alias, note?: MoveNote): Promise<AliasMove>;
  /**
   * Clears an alias; rollbacks do not go back beyond this point.
   *
   * @param expected the version that the alias must currently name
   * @returns `null` if it names another version, or none; nothing then changes
   */
  withdraw(
    program: string,
    alias: Alias,
    expected: string,
    note?: MoveNote,
  ): Promise<AliasMove | null>;
  /** The aliases, and every move of one. */
  aliases(program: string): Promise<Aliases>;
  /** Checks every version, and reports aliases that name missing versions. */
  verify(program: string, options?: VerifyOptions): Promise<readonly VersionReport[]>;
}

export interface RegistryOptions {
  /** The clock for recorded moves. @default the system's */
  readonly now?: () => Date;
  /** How long a writer waits for another one. @default 10,000 */
  readonly patienceMs?: number;
}

export interface ResolvedArtifact {
  readonly version: string;
  readonly artifact: Artifact;
  /** Path of the file. */
  readonly path: string;
}

/** A version in a list. */
export type VersionEntry = {
  /** Version name, or `aliases.json` for an unreadable alias file. */
  readonly version: string;
  readonly aliases: readonly Alias[];
} & (
  | { readonly state: "readable"; readonly artifact: Artifact }
  | { readonly state: "unreadable"; readonly problem: EspalierError }
);

export interface VerifyOptions {
  /** Checks only this version. @default all */
  readonly name?: string;
  /** The program's current declaration, for comparison. @default drift is not checked */
  readonly program?: ProgramDeclaration;
}

export interface VersionReport {
  /** As in `VersionEntry`. */
  readonly version: string;
  readonly aliases: readonly Alias[];
  /** Empty if the version is valid. */
  readonly problems: readonly EspalierError[];
}
