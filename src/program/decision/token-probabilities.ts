import type { GeneratedToken } from "../../contract/index.ts";
import { alternativesOf, sharesOf } from "../../contract/index.ts";

/** Labels that are still possible, each with what is left to write of it. */
type Rests = ReadonlyMap<string, string>;

/**
 * The probability of each label of a field, from the alternatives of the tokens in which its value
 * was written.
 *
 * At each token, the alternatives that begin, or continue, only one label add to it. Where several
 * labels begin alike, the tokens that follow divide what they share, as far as the reply wrote
 * them; alternatives for several labels that it did not write are divided evenly, since nobody
 * knows what would have followed. Alternatives that fit every label, or none, are left out: a
 * server reports probabilities before or after it masks what the JSON schema forbids. Case counts
 * only where labels differ in it alone.
 *
 * @param json the reply's JSON object, as it was written
 * @returns `null` if the tokens do not say
 */
export function tokenProbabilities(
  tokens: readonly GeneratedToken[],
  {
    json,
    field,
    written,
  }: {
    readonly json: string;
    readonly field: string;
    readonly written: ReadonlyMap<string, string>;
  },
): Readonly<Record<string, number>> | null {
  const place = fieldValuePlace(tokens, json, field);
  const areApart = (texts: readonly string[]): boolean => new Set(texts).size === written.size;
  const folded = (text: string): string => inked(text).toLowerCase();
  const read = areApart([...written.values()].map(folded)) ? folded : inked;
  const texts = [...written].map(([label, text]) => [label, read(text)] as const);
  if (!areApart(texts.map(([, text]) => text)) || place === null) return null;

  const masses = Object.fromEntries(texts.map(([label]) => [label, 0]));
  const add = (labels: readonly string[], mass: number): void => {
    for (const label of labels) masses[label] = (masses[label] ?? 0) + mass / labels.length;
  };
  let rests: Rests = new Map(texts);
  let share = 1;
  let { offset } = place;
  for (const token of tokens.slice(place.index)) {
    const own = read(token.token);
    const before = own.slice(0, offset);
    const part = own.slice(offset);
    offset = 0;
    if (part === "") continue;
    const fitting = labelsThatFit(rests, part);
    if (fitting.length === 0) return null;

    let onPath = 0;
    const beside: { readonly labels: readonly string[]; readonly mass: number }[] = [];
    for (const alternative of alternativesOf(token)) {
      const text = read(alternative.token);
      const labels = text.startsWith(before) ? labelsThatFit(rests, text.slice(before.length)) : [];
      const mass = Math.exp(alternative.logprob);
      if (sameLabels(labels, fitting)) onPath += mass;
      else if (labels.length > 0 && labels.length < rests.size) beside.push({ labels, mass });
    }
    const total = beside.reduce((sum, { mass }) => sum + mass, onPath);
    if (!(total > 0)) return null;
    for (const { labels, mass } of beside) add(labels, (share * mass) / total);
    share *= onPath / total;
    if (fitting.length === 1) {
      add(fitting, share);
      return sharesOf(masses);
    }
    rests = new Map(fitting.map((label) => [label, (rests.get(label) ?? "").slice(part.length)]));
  }
  return null;
}

/** Those that begin with the text, or that the text begins with: a token may go beyond a value. */
function labelsThatFit(rests: Rests, text: string): readonly string[] {
  return [...rests].flatMap(([label, rest]) =>
    rest.startsWith(text) || text.startsWith(rest) ? [label] : [],
  );
}

function sameLabels(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((label, place) => label === right[place]);
}

/** Where a field's value begins in a reply: a token, and a place in what `inked` leaves of it. */
interface TokenPlace {
  readonly index: number;
  readonly offset: number;
}

/**
 * The printable ASCII characters of a text. Tokenizers mark spaces and cut other characters in
 * their own ways, so only these compare equal between a reply's tokens and its content.
 */
function inked(text: string): string {
  return text.replaceAll(/[^\x21-\x7E]/g, "");
}

/**
 * Finds the value of a top-level field in the tokens of a reply. The tokens may hold more than the
 * JSON object: a thought before it, special tokens after it.
 *
 * @param json the reply's JSON object, as it was written
 * @returns `null` if the tokens do not hold that object, or the object not that field
 */
function fieldValuePlace(
  tokens: readonly GeneratedToken[],
  json: string,
  field: string,
): TokenPlace | null {
  const object = inked(json);
  const pieces = tokens.map(({ token }) => inked(token));
  const start = pieces.join("").lastIndexOf(object);
  const value = valuePlace(object, field);
  if (start < 0 || value === null) return null;
  let offset = start + value;
  for (const [index, { length }] of pieces.entries()) {
    if (offset < length) return { index, offset };
    offset -= length;
  }
  return null;
}

/** Of a repeated key the last counts, as for `JSON.parse`. */
function valuePlace(object: string, field: string): number | null {
  const key = JSON.stringify(field);
  let found: number | null = null;
  let depth = 0;
  let opened = -1;
  for (let place = 0; place < object.length; place++) {
    const character = object.charAt(place);
    if (opened >= 0) {
      if (character === "\\") place++;
      if (character !== '"') continue;
      const isKey = depth === 1 && object.charAt(place + 1) === ":";
      if (isKey && object.slice(opened, place + 1) === key) found = place + 2;
      opened = -1;
    } else if (character === '"') opened = place;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
  }
  return found;
}
