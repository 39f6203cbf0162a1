import { jsonList, textsIn } from "../../reading/index.ts";
import { sentences } from "../../text/index.ts";
import type { Material } from "../material/material.ts";

/**
 * The single claims of the responses: list items, or sentences, split at "and" before a new verb.
 */
export function statementsOf({ responses }: Material): readonly string[] {
  return responses.flatMap((response) => {
    const listed = jsonList(response).flatMap((held) => textsIn(held).slice(0, 1));
    if (listed.length > 0) return listed;
    const lines = response.split("\n").flatMap(sentences);
    return lines.flatMap(claimsIn).filter((claim) => claim !== "");
  });
}

/** "It opened in 1902 and is 40 m long": two claims, the second with the first one's subject. */
function claimsIn(sentence: string): readonly string[] {
  const plain = sentence
    .replace(/^\s*(?:\d+[.)]|[-*•])\s*/, "")
    .replaceAll(/(?:(?<!\s)\s+)?\[\d+\]/g, "");
  const [first = "", ...others] = plain.split(
    /(?:,|(?<![\s,]))\s+and\s+(?=(?:is|was|has|had|were|are|became|holds|held|also)\b)|;\s+/,
  );
  const subject =
    /^((?:The |An? )?[\p{Lu}\d][\p{L}\d'’-]*(?: [\p{Lu}\d][\p{L}\d'’-]*)*(?: [\p{Ll}]+)?|It|They|He|She) (?:is|was|has|had|were|are|\p{Ll}+(?:ed|s)) /u.exec(
      first,
    )?.[1];
  return [
    first,
    ...others.map((other) =>
      /^\p{Ll}/u.test(other) && subject !== undefined ? `${subject} ${other}` : other,
    ),
  ];
}
