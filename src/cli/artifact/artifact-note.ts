import type { MoveNote } from "../../artifact/index.ts";

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
