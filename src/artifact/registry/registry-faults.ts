import { EspalierError } from "../../errors/index.ts";
import type { Alias, Aliases } from "./aliases.ts";
import type { ProgramPlace } from "./version-files.ts";

export function aliasUnset({ program }: ProgramPlace, alias: Alias): EspalierError {
  return new EspalierError({
    code: "artifact-unknown",
    problem: `No version is in ${alias === "production" ? "production" : "the place of the candidate"}`,
    where: `program "${program}"`,
    fix: `Promote one: espalier artifact promote ${program} VERSION --to ${alias}`,
  });
}

export function nothingBefore(
  { program }: ProgramPlace,
  alias: Alias,
  aliases: Aliases,
): EspalierError {
  return new EspalierError({
    code: "artifact-unknown",
    problem: "There is no version to go back to",
    where: `${alias} of program "${program}"`,
    expected: "an earlier promotion that was not taken back",
    got: aliases[alias] === null ? "none at all" : `only ${aliases[alias]}`,
  });
}

export function notItsHash({ program }: ProgramPlace, hash: string): EspalierError {
  return new EspalierError({
    code: "artifact-invalid",
    problem: "The artifact's hash is not that of its content",
    where: `program "${program}"`,
    got: hash,
    fix: "Add an artifact as `compileArtifact()` or `readArtifact()` gives it",
  });
}

export function otherContent(where: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "artifact-conflict",
    problem: "Another content has the name of this version",
    where,
    expected,
    got,
    fix: "If a file was renamed, give it back its name; if two hashes begin alike, compile with a change",
  });
}
