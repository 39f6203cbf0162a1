import { z } from "zod";

/**
 * Id of a task of MTRAG, `CONVERSATION<::>TURN` with turns from 1. IBM's own responses put it with
 * a bare `::`; both become the one form, so that rows of different files join.
 */
export const taskId = z
  .string()
  .regex(/^[^:<>]+(?:::|<::>)[1-9]\d*$/, "a task id, CONVERSATION<::>TURN")
  .transform((id) => id.replace(/(?:<::>|::)/, "<::>"));

/** The turn that a task's id names, counted from 1. */
export function turnOf(id: string): number {
  return Number(id.slice(id.lastIndexOf(">") + 1));
}
