import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { contentHash } from "../../internal/index.ts";
import { unlessChanged } from "../../storage/index.ts";
import type { Artifact } from "../file/artifact.ts";
import { readArtifact, writeArtifact } from "../file/artifact-file.ts";
import {
  aliasesName,
  readAliases,
  writeAliases,
  aliasNames,
  moved,
  noAliases,
  previousVersion,
} from "./aliases.ts";
import type { Alias, Aliases, AliasMove } from "./aliases.ts";
import {
  programFolder,
  programsIn,
  readVersion,
  versionFile,
  versionsOf,
  versionThatBegins,
  aliasName,
  versionName,
  versionOf,
} from "./program-folder.ts";
import { registryLock } from "./registry-lock.ts";
import type {
  Registry,
  RegistryOptions,
  ResolvedArtifact,
  VerifyOptions,
  VersionEntry,
} from "./registry.ts";
import type { ProgramPlace } from "./program-folder.ts";

/**
 * A folder of compiled programs: `PROGRAM/VERSION.json` and `PROGRAM/aliases.json`. The first write
 * creates it; opening it changes nothing.
 */
export function openRegistry(
  folder: string,
  { now = () => new Date(), patienceMs = 10_000 }: RegistryOptions = {},
): Registry {
  const placeOf = (program: string): ProgramPlace => ({
    program,
    folder: programFolder(folder, program),
  });
  // Cached, since a server reads aliases with every request, and for every list of versions.
  const aliasesAgain = unlessChanged(noAliases);
  const namesAgain = unlessChanged<readonly string[]>([]);
  const versionAgain = unlessChanged<Artifact>();
  const aliasesIn = ({ folder: of }: ProgramPlace): Promise<Aliases> =>
    aliasesAgain(join(of, aliasesName), () => readAliases(of));
  const locked = () => registryLock(folder, { patienceMs });

  const resolve: Registry["resolve"] = async (program, name) => {
    const place = placeOf(program);
    const named = versionName(name);
    if (named.kind === "prefix") {
      const version = await versionThatBegins(place, named.prefix);
      return resolved(place, version, named.prefix);
    }
    const version = (await readAliases(place.folder))[named.alias];
    if (version === null) throw aliasUnset(place, named.alias);
    return resolved(place, version);
  };

  /** Moves an alias to a version under the lock, and returns the move. */
  const move = async (
    place: ProgramPlace,
    next: (aliases: Aliases) => Promise<Pick<AliasMove, "alias" | "kind" | "to"> | null>,
    { by, why }: Pick<AliasMove, "by" | "why">,
  ): Promise<AliasMove | null> => {
    using _ = await locked();
    const before = await readAliases(place.folder);
    const note = { ...(by === undefined ? {} : { by }), ...(why === undefined ? {} : { why }) };
    const step = await next(before);
    if (step === null) return null;
    const after = moved(before, { ...step, at: now().toISOString(), ...note });
    if (after === before) return null;
    await writeAliases(place.folder, after);
    return after.history.at(-1) ?? null;
  };

  return {
    folder,
    programs: () => programsIn(folder),
    resolve,
    list: async (program) => {
      const place = placeOf(program);
      const { aliases, problem } = await aliasesOrProblem(() => aliasesIn(place));
      const versions = await namesAgain(place.folder, () => versionsOf(place));
      const entries = await Promise.all(
        versions.map(async (version): Promise<VersionEntry> => {
          const common = { version, aliases: aliasesOf(aliases, version) };
          try {
            const path = versionFile(place, version);
            const artifact = await versionAgain(path, () => readVersion(place, version));
            return { ...common, state: "readable", artifact };
          } catch (error) {
            if (!EspalierError.isInstance(error)) throw error;
            return { ...common, state: "unreadable", problem: error };
          }
        }),
      );
      if (problem === null) return entries;
      return [...entries, { version: aliasesName, aliases: [], state: "unreadable", problem }];
    },
    add: async (artifact) => {
      const place = placeOf(artifact.compiled.program.name);
      if (contentHash(artifact.compiled) !== artifact.hash) throw notItsHash(place, artifact.hash);
      const version = versionOf(artifact);
      using _ = await locked();
      if (!(await versionsOf(place)).includes(version)) {
        await writeArtifact(versionFile(place, version), artifact);
        return { version, isNew: true };
      }
      const held = await readArtifact(versionFile(place, version));
      if (held.hash === artifact.hash) return { version, isNew: false };
      throw otherContent(versionFile(place, version), artifact.hash, held.hash);
    },
    promote: (program, name, alias, note = {}) =>
      move(
        placeOf(program),
        async () => {
          // Under the lock, so that `candidate` resolves to the version that this step replaces.
          const { version } = await resolve(program, name);
          return { kind: "promote", alias: aliasName(alias), to: version };
        },
        note,
      ),
    rollback: async (program, alias, note = {}) => {
      const place = placeOf(program);
      const made = await move(
        place,
        async (aliases) => {
          const to = previousVersion(aliases, aliasName(alias));
          if (to === null) throw nothingBefore(place, alias, aliases);
          await readVersion(place, to);
          return { kind: "rollback", alias, to };
        },
        note,
      );
      if (made === null) throw nothingBefore(place, alias, await readAliases(place.folder));
      return made;
    },
    withdraw: (program, alias, expected, note = {}) =>
      move(
        placeOf(program),
        async (aliases) =>
          aliases[aliasName(alias)] === expected ? { kind: "withdraw", alias, to: null } : null,
        note,
      ),
    aliases: async (program) => aliasesIn(placeOf(program)),
    verify: async (program, { name, ...options } = {}) => {
      const place = placeOf(program);
      const { aliases, problem } = await aliasesOrProblem(() => readAliases(place.folder));
      const isAlias = name !== undefined && versionName(name).kind === "alias";
      if (problem !== null && isAlias) throw problem;
      const named = aliasNames.flatMap((alias) => aliases[alias] ?? []);
      const all = [...new Set([...(await versionsOf(place)), ...named])].toSorted();
      const wanted = name === undefined ? all : [await nameOf(place, aliases, name)];
      if (wanted.length === 0 && problem === null) await versionThatBegins(place, "");
      const reports = await Promise.all(
        wanted.map(async (version) => ({
          version,
          aliases: aliasesOf(aliases, version),
          problems: await problemsOf(place, version, options),
        })),
      );
      if (problem === null || name !== undefined) return reports;
      return [...reports, { version: aliasesName, aliases: [], problems: [problem] }];
    },
  };
}

/** An unreadable file must not hide other entries of a list. */
async function aliasesOrProblem(
  read: () => Promise<Aliases>,
): Promise<{ readonly aliases: Aliases; readonly problem: EspalierError | null }> {
  try {
    return { aliases: await read(), problem: null };
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    return { aliases: noAliases, problem: error };
  }
}

async function resolved(
  place: ProgramPlace,
  version: string,
  prefix = version,
): Promise<ResolvedArtifact> {
  const artifact = await readVersion(place, version, prefix);
  return { version, artifact, path: versionFile(place, version) };
}

/** The version that a name refers to, whether or not it is readable. */
async function nameOf(place: ProgramPlace, aliases: Aliases, name: string): Promise<string> {
  const named = versionName(name);
  if (named.kind === "prefix") return versionThatBegins(place, named.prefix);
  const version = aliases[named.alias];
  if (version === null) throw aliasUnset(place, named.alias);
  return version;
}

function aliasesOf(aliases: Aliases, version: string): readonly Alias[] {
  return aliasNames.filter((alias) => aliases[alias] === version);
}

function aliasUnset({ program }: ProgramPlace, alias: Alias): EspalierError {
  return new EspalierError({
    code: "artifact-unknown",
    problem: `No version is the ${alias}${alias === "production" ? " version" : ""}`,
    where: `program "${program}"`,
    fix: `Promote one: espalier artifact promote ${program} VERSION --to ${alias}`,
  });
}

function nothingBefore({ program }: ProgramPlace, alias: Alias, aliases: Aliases): EspalierError {
  return new EspalierError({
    code: "artifact-unknown",
    problem: "There is no earlier version to return to",
    where: `${alias} of program "${program}"`,
    expected: "an earlier promotion that has not been rolled back",
    got: aliases[alias] === null ? "none" : `only ${aliases[alias]}`,
  });
}

function notItsHash({ program }: ProgramPlace, hash: string): EspalierError {
  return new EspalierError({
    code: "artifact-invalid",
    problem: "The artifact's hash does not match its content",
    where: `program "${program}"`,
    got: hash,
    fix: "Add an artifact that `compileArtifact()` or `readArtifact()` returned",
  });
}

function otherContent(where: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "artifact-conflict",
    problem: "Different content is already stored under this version",
    where,
    expected,
    got,
    fix: "If a file was renamed, restore its name; if two hashes share their first digits, change the program slightly and recompile",
  });
}

/** The problem of one version, in its file or its match with the program; none if it is valid. */
async function problemsOf(
  place: ProgramPlace,
  version: string,
  { program }: Omit<VerifyOptions, "name">,
): Promise<readonly EspalierError[]> {
  try {
    const artifact = await readVersion(place, version);
    if (program !== undefined) {
      // Loaded lazily: callers with a program have already loaded most of it, and listing versions
      // needs none of it.
      const { checkDrift } = await import("../load/load-artifact.ts");
      checkDrift(artifact, program);
    }
    return [];
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error;
    return [error];
  }
}
