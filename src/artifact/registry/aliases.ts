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
