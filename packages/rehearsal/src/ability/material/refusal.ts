import { sentences } from "../../text/index.ts";

/**
 * How far a text is a refusal, in [0, 1]: 1 for a pure refusal, about a half for an answer that
 * leaves a part open.
 */
export function refusalDegree(text: string): number {
  const said = sentences(text);
  const refusing = said.filter((sentence) => refusalPattern.test(sentence)).length;
  if (text.trim() === "" || (refusing > 0 && refusing === said.length)) return 1;
  return refusing === 0 ? 0 : 0.45;
}

/** An answer without content: empty, a dash, or a pure refusal. */
export function isNoAnswer(text: string): boolean {
  return /^\W*(?:(?:none|unknown|nothing|n\/a|null)\W*)?$/i.test(text) || refusalDegree(text) === 1;
}

const refusalPattern =
  /\b(?:(?:do|does|did|could|can|is|are|was|were) ?(?:not|n['’]t)|cannot|can['’]t|not) (?:\w+ ){0,3}?(?:know|known|answer|answered|contain|hold|say|state|stated|mention|mentioned|tell|told|cover|covered|found|find|available|enough|sufficient|sure|determine|specified|provided|settle)\b|\b(?:no|not enough|insufficient|lack(?:s|ing)?) (?:\w+ ){0,2}?(?:information|evidence|answer|data|details?)\b|\b(?:unanswerable|unable to|i have no idea)\b/i;
