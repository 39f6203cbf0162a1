import { join, basename, dirname } from "node:path";
import { z } from "zod";
import { EspalierError, messageOf } from "../../errors/index.ts";
import { exactOptional, isNoSuchFile, parseJson } from "../../internal/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";

export const aliasNames = ["production", "candidate"] as const;

/** A name that can move between the versions of a program. */
export type Alias = (typeof aliasNames)[number];

/** Who moved an alias, and why; for people. */
export interface MoveNote {
  readonly by?: string;
  readonly why?: string;
}

/** One move of an alias from version to version. */
export interface AliasMove extends MoveNote {
  readonly alias: Alias;
  readonly kind: "promote" | "rollback" | "withdraw";
  /** `null` if it named nothing before. */
  readonly from: string | null;
  /** `null` after a withdrawal: the alias now names nothing. */
  readonly to: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The current target of each alias, and every move, oldest first. */
export interface Aliases extends Readonly<Record<Alias, string | null>> {
  readonly history: readonly AliasMove[];
}

export const noAliases: Aliases = { production: null, candidate: null, history: [] };

/** Adds a move; returns the same aliases if the alias already names that version. */
export function moved(aliases: Aliases, { alias, to, ...rest }: Omit<AliasMove, "from">): Aliases {
  if (aliases[alias] === to) return aliases;
  const move: AliasMove = { alias, from: aliases[alias], to, ...rest };
  return { ...aliases, [alias]: to, history: [...aliases.history, move] };
}

/**
 * The previous target of an alias; `null` if there was none. A rollback undoes the last promotion,
 * so repeated rollbacks go further back instead of alternating. Versions from before a withdrawal
 * return only through a new promotion.
 */
export function previousVersion({ history, ...aliases }: Aliases, alias: Alias): string | null {
  const standing: (string | null)[] = [];
  for (const move of history) {
    if (move.alias !== alias) continue;
    if (move.kind === "promote") standing.push(move.to);
    else if (move.kind === "rollback") standing.pop();
    else standing.length = 0;
  }
  // If the file was edited by hand, a rollback returns to the last promoted version.
  const isAsRecorded = standing.at(-1) === aliases[alias];
  return standing.at(isAsRecorded ? -2 : -1) ?? null;
}

/** Name of the alias file in a program's folder. */
export const aliasesName = "aliases.json";

const maxBytes = 16 * 2 ** 20;
const format = "espalier-aliases/1";
const version = z.string().refine(isVersion, "expected 12 hexadecimal digits");
const move = z.strictObject({
  alias: z.enum(aliasNames),
  kind: z.enum(["promote", "rollback", "withdraw"]),
  from: version.nullable(),
  to: version.nullable(),
  at: z.iso.datetime(),
  by: exactOptional(z.string()),
  why: exactOptional(z.string()),
});
const schema = z.strictObject({
  format: z.literal(format),
  production: version.nullable(),
  candidate: version.nullable(),
  history: z.array(move),
});

/**
 * The aliases of the program in a folder; none if there is no file.
 *
 * @throws EspalierError `file-malformed`
 */
export async function readAliases(folder: string): Promise<Aliases> {
  const path = join(folder, aliasesName);
  const content = await readFileWithin(path, maxBytes).catch((error: unknown) => {
    if (isNoSuchFile(error)) return null;
    throw malformed(path, error);
  });
  if (content === null) return noAliases;
  try {
    const { production, candidate, history } = schema.parse(parseJson(content));
    return { production, candidate, history };
  } catch (error) {
    throw malformed(path, error);
  }
}

export async function writeAliases(folder: string, aliases: Aliases): Promise<void> {
  const text = JSON.stringify({ format, ...aliases }, null, 2);
  await writeFileAtomic(join(folder, aliasesName), `${text}\n`, { isShared: true });
}

function malformed(path: string, error: unknown): EspalierError {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  return new EspalierError({
    code: "file-malformed",
    problem: "The program's aliases cannot be read",
    where: path,
    expected: `"format": "${format}", production, candidate and history, as espalier writes it`,
    got:
      issue === undefined
        ? messageOf(error)
        : `\`${issue.path.map(String).join(".")}\`: ${issue.message}`,
    fix: "Restore the file, or remove it and promote again",
    cause: error,
  });
}

/**
 * The aliases that point to the artifact in this file, according to the registry's record beside
 * it; none for a file outside a registry, or if that record cannot be read.
 */
export async function aliasesAt(path: string): Promise<readonly Alias[]> {
  const version = basename(path, ".json");
  const aliases = await readAliases(dirname(path)).catch(() => null);
  return aliases === null ? [] : aliasNames.filter((alias) => aliases[alias] === version);
}

export function isVersion(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text);
}
