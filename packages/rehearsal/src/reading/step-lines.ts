import { jsonList, textsIn } from "./texts-in.ts";

/** A question asked on the way to an answer, and its result. */
export interface SolvedStep {
  readonly question: string;
  readonly answer: string;
}

/**
 * Reads steps from alternating lines: a label that mentions a question (or is a bare Q), then one
 * that mentions an answer (or is a bare A). Numbers and marks around a label do not matter. A JSON
 * list of objects is read by shape: from each, the text that ends with a question mark and another
 * text.
 */
export function readStepLines(text: string): readonly SolvedStep[] {
  if (/^\s*\[\s*\{/.test(text)) return stepsInJson(text);
  const steps: SolvedStep[] = [];
  let asked: string | undefined;
  for (const line of text.split("\n")) {
    const match = linePattern.exec(line.trim());
    if (match === null) continue;
    const [, label = "", said = ""] = match;
    if (/answer|^a[ -]?\d*$/i.test(label)) {
      if (asked !== undefined) steps.push({ question: asked, answer: said.trim() });
      asked = undefined;
    } else asked = said.trim();
  }
  return steps;
}

export function hasStepLines(text: string): boolean {
  // A cheap check that spares most texts the full parse.
  if (
    text.length > maxCharacters ||
    !/answer|^\W{0,4}a\W?\d*\W{0,3}:|^[\t ]*\[\s*\{/im.test(text)
  ) {
    return false;
  }
  return readStepLines(text).length > 0;
}

function stepsInJson(text: string): readonly SolvedStep[] {
  return jsonList(text).flatMap((held) => {
    const texts = textsIn(held);
    const question = texts.find((one) => one.trim().endsWith("?"));
    const answer = texts.find((one) => one !== question);
    return question === undefined || answer === undefined ? [] : [{ question, answer }];
  });
}

const linePattern =
  /^[\s*#>([-]*(?:\d+[.)]\s*)?((?:\w[\w-]* ){0,2}(?:sub-?)?(?:quer(?:y|ies)|questions?|answers?|q|a)(?:[ -]?\d+)?)[\s*)\]]*:[\s*]*(.+)/is;

/** A longer text is not a list of steps. */
const maxCharacters = 8_000;
