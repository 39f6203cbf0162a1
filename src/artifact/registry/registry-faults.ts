import { EspalierError } from "../../errors/index.ts";
import type { Alias, Aliases } from "./aliases.ts";
import type { ProgramPlace } from "./version-files.ts";

export function aliasUnset({ program }: ProgramPlace, alias: Alias): EspalierError {
  return new EspalierError({
    code: "artifact-unknown",
    problem: `No version is the ${alias}${alias === "production" ? " version" : ""}`,
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
    problem: "There is no earlier version to return to",
    where: `${alias} of program "${program}"`,
    expected: "an earlier promotion that has not been rolled back",
    got: aliases[alias] === null ? "none" : `only ${aliases[alias]}`,
  });
}

export function notItsHash({ program }: ProgramPlace, hash: string): EspalierError {
  return new EspalierError({
    code: "artifact-invalid",
    problem: "The artifact's hash does not match its content",
    where: `program "${program}"`,
    got: hash,
    fix: "Add an artifact that `compileArtifact()` or `readArtifact()` returned",
  });
}

export function otherContent(where: string, expected: string, got: string): EspalierError {
  return new EspalierError({
    code: "artifact-conflict",
    problem: "Different content already has this version's name",
    where,
    expected,
    got,
    fix: "If a file was renamed, restore its name; if two hashes share their first digits, recompile with a change",
  });
}
