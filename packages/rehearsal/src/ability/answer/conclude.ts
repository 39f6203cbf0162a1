import type { Steering } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import { splitAsks } from "../question/split-asks.ts";
import { isNoAnswer } from "../material/refusal.ts";

/**
 * The answer that follows from solved steps: the last step's answer or, if the question asks for
 * several things, all answers, separated as the instruction requires. `undefined` if no step found
 * anything.
 */
export function conclude({
  material,
  steering,
  reader,
}: {
  readonly material: Material;
  readonly steering: Steering;
  readonly reader: TextReader;
}): string | undefined {
  const solved = (material.steps ?? []).filter(({ answer }) => !isNoAnswer(answer));
  const last = solved.at(-1);
  if (last === undefined) return undefined;
  const { parts } = splitAsks(material.question, reader);
  if (parts.length < 2) return last.answer;
  const compared = comparedName(material, parts);
  if (compared !== undefined) return compared;
  return solved.map(({ answer }) => answer).join(separatorIn(steering) ?? ", ");
}

/** The quoted text before "between", "separated by" or "joined by". */
function separatorIn({ clauses }: Steering): string | undefined {
  for (const { text } of clauses) {
    const match =
      /["'`“]([^"'`”\p{L}\p{N}]{1,5})["'`”] (?:in )?between|(?:separated?|joined?|linked) (?:\w+ ){0,2}(?:by|with) ["'`“]([^"'`”\p{L}\p{N}]{1,5})["'`”]/u.exec(
        text,
      );
    const found = match?.[1] ?? match?.[2];
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Of two compared things, the one with the smaller figure, for "first" and the like, or the
 * greater.
 */
function comparedName(
  { question, steps = [] }: Material,
  parts: readonly string[],
): string | undefined {
  if (!/ or /.test(question) || parts.length !== 2 || steps.length < 2) return undefined;
  const figures = steps.slice(0, 2).map(({ answer }) => figureIn(answer));
  const [one, other] = figures;
  if (one === undefined || other === undefined || one === other) return undefined;
  const isSmall =
    /\b(?:first|earlier|older|earliest|oldest|fewer|less|smaller|shorter|cheaper|lower|sooner|closer)\b/i.test(
      question,
    );
  const index = one < other === isSmall ? 0 : 1;
  return parts[index]?.replace(/^.*[,:] (?:the )?/, "").replace(/\?$/, "");
}

/** The year in a text, otherwise its first number. */
function figureIn(text: string): number | undefined {
  const found = /\b[12]\d{3}\b/.exec(text)?.[0] ?? /\d+(?:[.,]\d+)*/.exec(text)?.[0];
  return found === undefined ? undefined : Number(found.replaceAll(",", ""));
}
