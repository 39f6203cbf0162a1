import type { MoveNote } from "../../artifact/index.ts";

/** Who and why, as far as they were given. */
export function noteFrom({
  by,
  why,
}: {
  by?: string | undefined;
  why?: string | undefined;
}): MoveNote {
  return { ...(by === undefined ? {} : { by }), ...(why === undefined ? {} : { why }) };
}
