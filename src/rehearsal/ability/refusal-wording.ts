import type { Steering } from "../steering/index.ts";

/** A refusal in the words that the instruction gives for one, or else in its own. */
export function refusalWording(question: string, { clauses }: Steering): string {
  for (const { text, hits } of clauses) {
    if (!hits.has("refuse")) continue;
    const quoted =
      /(?:say|reply|answer|write|state|respond)[^"“`]{0,40}["“`]([^"”`]{8,160})["”`]/i.exec(text);
    if (quoted !== null) return quoted[1] ?? "";
    const told =
      /\b(?:say|reply|answer|write|state|admit) that (?:you |there |the )([^,;.]{4,100})/i.exec(
        text,
      );
    if (told !== null) return spoken(told[0].replace(/^\w+ that /i, ""));
  }
  return `The texts given do not answer this: ${question}`;
}

/** "you do not have enough" is said as "I do not have enough". */
function spoken(told: string): string {
  const own = told
    .trim()
    .replaceAll(/\byou are\b/gi, "I am")
    .replaceAll(/\byou\b/gi, "I")
    .replaceAll(/\byour\b/gi, "my");
  return `${own.charAt(0).toUpperCase()}${own.slice(1)}.`;
}
