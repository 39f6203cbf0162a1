import type { AliasMove } from "../../artifact/index.ts";

/** `2030-01-01T00:00:00.000Z  production  a1 -> b2 (promote, by Ada: better on val)` */
export function moveText({ at, alias, from, to, kind, by, why }: AliasMove): string {
  const note = [kind, ...(by === undefined ? [] : [`by ${by}`])].join(", ");
  const reason = why === undefined ? "" : `: ${why}`;
  return `${at}  ${alias}  ${from ?? "nothing"} -> ${to ?? "nothing"} (${note}${reason})`;
}
