import { z } from "zod";

/**
 * Id of an MTRAG task, `CONVERSATION<::>TURN` with turns from 1. IBM's own responses use a bare
 * `::`; both are normalised to one form, so that rows of different files join.
 */
export const taskId = z
  .string()
  .regex(/^[^:<>]+(?:::|<::>)[1-9]\d*$/, "a task id, CONVERSATION<::>TURN")
  .transform((id) => id.replace(/(?:<::>|::)/, "<::>"));

/** The turn number in a task's id, counted from 1. */
export function turnOf(id: string): number {
  return Number(id.slice(id.lastIndexOf(">") + 1));
}
