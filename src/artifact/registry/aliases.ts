export const aliasNames = ["production", "candidate"] as const;

/** What may change hands among the versions of a program. */
export type Alias = (typeof aliasNames)[number];

/** Who moved an alias, and why; both for people. */
export interface MoveNote {
  readonly by?: string;
  readonly why?: string;
}

/** One move of an alias from version to version. */
export interface AliasMove extends MoveNote {
  readonly alias: Alias;
  readonly kind: "promote" | "rollback" | "withdraw";
  /** `null` when it named nothing before. */
  readonly from: string | null;
  /** `null` of what was withdrawn: the alias names nothing now. */
  readonly to: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** What each alias names now, and every move that led there, oldest first. */
export interface Aliases extends Readonly<Record<Alias, string | null>> {
  readonly history: readonly AliasMove[];
}

export const noAliases: Aliases = { production: null, candidate: null, history: [] };

/** With one more move, or the same when the alias names that version already. */
export function moved(aliases: Aliases, { alias, to, ...rest }: Omit<AliasMove, "from">): Aliases {
  if (aliases[alias] === to) return aliases;
  const move: AliasMove = { alias, from: aliases[alias], to, ...rest };
  return { ...aliases, [alias]: to, history: [...aliases.history, move] };
}

/**
 * What an alias named before what it names now; `null` when there was nothing. A rollback undoes the
 * promotion before it, so that one after another goes further back instead of to and fro. Nothing comes
 * back from before a withdrawal, except by a promotion of its own.
 */
export function previousVersion({ history, ...aliases }: Aliases, alias: Alias): string | null {
  const standing: (string | null)[] = [];
  for (const move of history) {
    if (move.alias !== alias) continue;
    if (move.kind === "promote") standing.push(move.to);
    else if (move.kind === "rollback") standing.pop();
    else standing.length = 0;
  }
  // Whoever wrote another version into the file by hand goes back to the last one that was promoted.
  const isAsRecorded = standing.at(-1) === aliases[alias];
  return standing.at(isAsRecorded ? -2 : -1) ?? null;
}
