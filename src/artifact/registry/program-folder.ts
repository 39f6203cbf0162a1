import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { isNoSuchFile, joinNames } from "../../internal/index.ts";
import type { Artifact } from "../file/artifact.ts";
import { readArtifact } from "../file/artifact-file.ts";
import type { Alias } from "./aliases.ts";
import { aliasNames, isVersion } from "./aliases.ts";

/** A program's folder in a registry. */
export interface ProgramPlace {
  readonly program: string;
  readonly folder: string;
}

export function versionFile({ folder }: ProgramPlace, version: string): string {
  return join(folder, `${version}.json`);
}

/** All versions of a program, ordered by name; none if the folder does not exist. */
export async function versionsOf({ folder }: ProgramPlace): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isNoSuchFile(error)) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .filter(isVersion)
    .toSorted();
}

/**
 * The one version that begins with these digits, which may be longer than its name.
 *
 * @throws EspalierError `artifact-unknown` if there is none, or more than one
 */
export async function versionThatBegins(place: ProgramPlace, prefix: string): Promise<string> {
  const versions = await versionsOf(place);
  const found = versions.filter(
    (version) => version.startsWith(prefix) || prefix.startsWith(version),
  );
  const [version] = found;
  if (version !== undefined && found.length === 1) return version;
  const where = `program "${place.program}"`;
  throw new EspalierError(
    found.length > 1
      ? {
          code: "artifact-unknown",
          problem: `More than one version begins with ${prefix}`,
          where,
          got: joinNames(found),
          fix: "Use more digits",
        }
      : versions.length === 0
        ? {
            code: "artifact-unknown",
            problem: "The registry has no version of this program",
            where,
            got: `nothing in ${place.folder}`,
            fix: "See `espalier artifact list`, or add one with `espalier artifact add FILE`",
          }
        : {
            code: "artifact-unknown",
            problem: `No version begins with ${prefix}`,
            where,
            expected: joinNames(versions),
          },
  );
}

/**
 * Reads a version and checks that its content matches its path.
 *
 * @throws EspalierError `file-missing`; `artifact-invalid` also for a valid artifact under the
 * wrong path
 */
export async function readVersion(
  place: ProgramPlace,
  version: string,
  prefix: string = version,
): Promise<Artifact> {
  const path = versionFile(place, version);
  const artifact = await readArtifact(path);
  const { name } = artifact.compiled.program;
  const begins = prefix.length > version.length ? prefix : version;
  if (artifact.hash.startsWith(begins) && name === place.program) return artifact;
  throw new EspalierError({
    code: "artifact-invalid",
    problem: "The artifact does not match its path in the registry",
    where: path,
    expected: `program "${place.program}", content hash ${begins}...`,
    got: `program "${name}", content hash ${artifact.hash.slice(0, Math.max(12, begins.length))}...`,
    fix: "Remove the file, and add its content with `espalier artifact add FILE`",
  });
}

/**
 * The folder of a program's versions. A name may contain `/`, which makes subfolders; each part
 * begins with a letter, a digit or `_`, so that none is `..`, hidden or absolute.
 *
 * @throws EspalierError `registry-name-invalid` for a name that might lead outside the registry, or
 * that some file systems do not support
 */
export function programFolder(root: string, program: string): string {
  const parts = program.split("/");
  if (program.length <= longestName && parts.every(isSafePart)) return join(root, ...parts);
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This is not a valid name for a program in a registry",
    expected: `letters, digits, "-", "_" and "." in parts separated by "/", at most ${longestName} characters`,
    got: JSON.stringify(program.slice(0, longestName)),
  });
}

/** Whether a path below the root is a valid program name. */
function isProgramName(name: string): boolean {
  return name.length <= longestName && name.split("/").every(isSafePart);
}

const longestName = 200;

// Device names on Windows, whatever follows the first dot.
const devices = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;

function isSafePart(part: string): boolean {
  // A folder must not have the name of a registry file.
  return (
    /^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,99}[A-Za-z0-9_-])?$/.test(part) &&
    !devices.test(part) &&
    !/\.(json|lock)$/i.test(part)
  );
}

/** Names of the programs with versions in a folder, in order; none if there is no folder. */
export async function programsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isNoSuchFile(error)) return [];
      throw error;
    },
  );
  const names = entries
    .filter(({ name }) => name.endsWith(".json") && isVersion(name.slice(0, -".json".length)))
    .map(({ parentPath }) => relative(folder, parentPath).split(sep).join("/"))
    .filter(isProgramName);
  return [...new Set(names)].toSorted();
}

const versionDigits = 12;

/** The name of a version: the first digits of its content hash. */
export function versionOf({ hash }: { readonly hash: string }): string {
  return hash.slice(0, versionDigits);
}

/** An alias, or the beginning of a content hash. */
type VersionName =
  | { readonly kind: "alias"; readonly alias: Alias }
  | { readonly kind: "prefix"; readonly prefix: string };

/** @throws EspalierError `registry-name-invalid` */
export function versionName(given: string): VersionName {
  const alias = aliasNames.find((name) => name === given);
  if (alias !== undefined) return { kind: "alias", alias };
  if (/^[0-9a-f]{4,64}$/.test(given)) return { kind: "prefix", prefix: given };
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This is not a valid version name",
    expected: `${aliasNames.join(", ")}, or the first 4 or more hexadecimal digits of a content hash`,
    got: JSON.stringify(given),
  });
}

/** @throws EspalierError `registry-name-invalid` */
export function aliasName(given: string): Alias {
  const alias = aliasNames.find((name) => name === given);
  if (alias !== undefined) return alias;
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This is not a valid alias",
    expected: aliasNames.join(" or "),
    got: JSON.stringify(given),
  });
}
