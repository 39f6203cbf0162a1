import { jsonArgument } from "../arguments/arguments.ts";
import type { Alias, AliasMove, MoveNote } from "../../artifact/index.ts";
import { aliasNames } from "../../artifact/files.ts";
import { EspalierError } from "../../errors/index.ts";

/** Arguments of every registry command. */
export const registryArguments = {
  registry: {
    type: "string",
    description: "Registry folder",
    valueHint: "FOLDER",
    default: "artifacts",
  },
  ...jsonArgument,
} as const;

export const programArgument = {
  program: {
    type: "positional",
    description: "Name of a program",
    valueHint: "PROGRAM",
    required: true,
  },
} as const;

export const versionArgument = {
  version: {
    type: "positional",
    description: "production, candidate, or the first digits of a version",
    valueHint: "VERSION",
    required: true,
  },
} as const;

/** Arguments of commands that move an alias. */
export const moveArguments = {
  by: { type: "string", description: "Who made the change, for the history", valueHint: "WHO" },
  why: { type: "string", description: "Reason for the change, for the history", valueHint: "TEXT" },
} as const;

/** @throws EspalierError `usage-invalid` */
export function aliasOption(option: string, given: string): Alias {
  const alias = aliasNames.find((name) => name === given);
  if (alias !== undefined) return alias;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Invalid value for --${option}`,
    expected: aliasNames.join(" or "),
    got: `"${given}"`,
  });
}

/** Who moves an alias and why, as far as given. */
export function noteFrom({
  by,
  why,
}: {
  by?: string | undefined;
  why?: string | undefined;
}): MoveNote {
  return { ...(by === undefined ? {} : { by }), ...(why === undefined ? {} : { why }) };
}

/** `2030-01-01T00:00:00.000Z  production  a1 -> b2 (promote, by Ada: better on val)` */
export function moveText({ at, alias, from, to, kind, by, why }: AliasMove): string {
  const note = [kind, ...(by === undefined ? [] : [`by ${by}`])].join(", ");
  const reason = why === undefined ? "" : `: ${why}`;
  return `${at}  ${alias}  ${from ?? "nothing"} -> ${to ?? "nothing"} (${note}${reason})`;
}
