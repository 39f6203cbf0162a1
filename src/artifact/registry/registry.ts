import type { EspalierError } from "../../errors/index.ts";
import type { Artifact } from "../file/artifact.ts";
import type { ProgramDeclaration } from "../load/load-artifact.ts";
import type { Alias, AliasMove, Aliases, MoveNote } from "./aliases.ts";
import type { SigningKey, TrustedKey } from "./signing-keys.ts";

/**
 * Compiled programs by program and version. `name` of a version is `production`, `candidate`, or the
 * first 4 or more digits of its content hash.
 *
 * Every method rejects with `registry-name-invalid` for a name that might lead out of the folder.
 * Reading takes no lock and needs no right to write.
 */
export interface Registry {
  readonly folder: string;
  /** Names of all programs, in order. */
  programs(): Promise<readonly string[]>;
  /**
   * All versions of a program in the order of their names; one that cannot be read says why, and so does
   * the file of aliases, which comes last then.
   */
  list(program: string): Promise<readonly VersionEntry[]>;
  /**
   * @throws EspalierError `artifact-unknown`, `artifact-invalid`, `file-malformed`; in strict mode also
   *   `artifact-untrusted` and `artifact-drifted`
   */
  resolve(program: string, name: string, options?: ResolveOptions): Promise<ResolvedArtifact>;
  /**
   * Keeps an artifact under its program's name. The same content again changes nothing, whatever its
   * `run` says.
   *
   * @throws EspalierError `artifact-conflict` when another content has its name; `artifact-invalid` when
   *   its hash is not that of its content
   */
  add(artifact: Artifact): Promise<{ readonly version: string; readonly isNew: boolean }>;
  /**
   * Lets an alias name a version, which must be sound.
   *
   * @returns `null` when it named that version already: nothing is recorded then
   */
  promote(
    program: string,
    name: string,
    alias: Alias,
    note?: MoveNote & ResolveOptions,
  ): Promise<AliasMove | null>;
  /**
   * Takes back the last promotion that stands; another rollback goes further back.
   *
   * @throws EspalierError `artifact-unknown` when nothing came before; as `resolve` for what did
   */
  rollback(program: string, alias: Alias, note?: MoveNote & ResolveOptions): Promise<AliasMove>;
  /**
   * Lets an alias name nothing; no rollback goes back beyond it.
   *
   * @param expected the version that it is taken from
   * @returns `null` when it names another, or none: nothing is changed then
   */
  withdraw(
    program: string,
    alias: Alias,
    expected: string,
    note?: MoveNote,
  ): Promise<AliasMove | null>;
  aliases(program: string): Promise<Aliases>;
  /** Every move of an alias, oldest first. */
  history(program: string): Promise<readonly AliasMove[]>;
  /** Looks at every version, and at those that aliases name without there being one. */
  verify(program: string, options?: VerifyOptions): Promise<readonly VersionReport[]>;
  /** Signs a version; its file stays as it is. */
  sign(program: string, name: string, key: SigningKey): Promise<{ readonly version: string }>;
}

export interface RegistryOptions {
  /** The time that moves are recorded with. @default the system's */
  readonly now?: () => Date;
  /** How long a writer waits for another. @default 10,000 */
  readonly patienceMs?: number;
}

export interface ResolveOptions {
  /** Refuses what is not signed by a trusted key, or does not fit the program. @default not looked at */
  readonly strict?: StrictOptions;
}

export interface StrictOptions {
  readonly trustedKeys: readonly TrustedKey[];
  /** The program as it is declared now. @default drift is left to `loadArtifact()` */
  readonly program?: ProgramDeclaration;
}

export interface ResolvedArtifact {
  readonly version: string;
  readonly artifact: Artifact;
  /** The file. */
  readonly path: string;
  /** Ids of trusted keys that signed it; empty outside strict mode. */
  readonly signedBy: readonly string[];
}

/** A version in a list. */
export type VersionEntry = {
  /** Of the file of aliases, where it cannot be read, `aliases.json`. */
  readonly version: string;
  readonly aliases: readonly Alias[];
  /** Ids of keys that are said to have signed it; whether they did, `verify` tells. */
  readonly claimedSigners: readonly string[];
} & (
  | { readonly state: "readable"; readonly artifact: Artifact }
  | { readonly state: "unreadable"; readonly problem: EspalierError }
);

export interface VerifyOptions {
  /** Looks at this version alone. @default all */
  readonly name?: string;
  /** Signatures are checked against these. @default signatures are not looked at */
  readonly trustedKeys?: readonly TrustedKey[];
  /** The program as it is declared now, to be compared with. @default drift is not looked at */
  readonly program?: ProgramDeclaration;
}

export interface VersionReport {
  /** As in a `VersionEntry`. */
  readonly version: string;
  readonly aliases: readonly Alias[];
  readonly signedBy: readonly string[];
  /** Empty when nothing is wrong with it. */
  readonly problems: readonly EspalierError[];
}
