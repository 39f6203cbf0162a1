import type { SolvedStep } from "../../reading/index.ts";
import type { TextReader } from "../../text/index.ts";
import { isNoAnswer } from "../material/refusal.ts";
import { descriptionsIn } from "./descriptions.ts";
import { splitAsks } from "./split-asks.ts";

export interface SolvedState {
  /** The rest of the question, with answers replacing what they answer. */
  readonly left: string;
  /** The question to answer next; `undefined` if the steps answer everything asked. */
  readonly next: string | undefined;
}

/**
 * The state of a question after some steps. Each answer replaces the innermost description; once no
 * description is left, the next answer is the question's own. Of several asks, each takes one step.
 */
export function solvedState(
  question: string,
  steps: readonly SolvedStep[],
  reader: TextReader,
): SolvedState {
  const { parts } = splitAsks(question, reader);
  if (parts.length > 1) return { left: question, next: parts[steps.length] };
  let left = question;
  for (const { answer } of steps) {
    const innermost = descriptionsIn(left, reader)[0];
    if (isNoAnswer(answer)) continue;
    if (innermost === undefined) return { left, next: undefined };
    left = replaced(left, innermost, answer);
  }
  return { left, next: descriptionsIn(left, reader)[0]?.ask ?? left };
}

function replaced(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  answer: string,
): string {
  const name = answer.trim().replace(/(?<![.;])[.;]+$/, "");
  return `${text.slice(0, start)}${name}${text.slice(end)}`;
}
