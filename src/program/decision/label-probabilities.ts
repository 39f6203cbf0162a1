import type {
  JsonObject,
  LabelDecision,
  LanguageModel,
  LmReply,
  GeneratedToken,
} from "../../contract/index.ts";
import { sharesOf, alternativesOf } from "../../contract/index.ts";
import { LmError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Field } from "../../signature/index.ts";
import { jsonText } from "../driver/read-reply.ts";
import type { ProbabilitySources } from "../driver/driver.ts";
import type { LabelWeights } from "./decided-label.ts";
import { decidedLabel } from "./decided-label.ts";

const refusals = new Set(["lm-unsupported", "lm-request-refused"]);

/** vLLM's default cap, and OpenAI's. */
const topLogprobs = 20;

/** An LM that is asked for log-probabilities, and the last reply that it gave. */
export interface AskedForLogprobs {
  readonly lm: LanguageModel;
  readonly sources: ProbabilitySources;
  lastReply(): LmReply | undefined;
}

/** Asks each call for log-probabilities, and without them if the LM has none. */
export function askingForLogprobs(
  lm: LanguageModel,
  sources: ProbabilitySources,
): AskedForLogprobs {
  const isAsked = Object.values(sources).some(({ logprobs = true }) => logprobs);
  let last: LmReply | undefined;
  return {
    sources,
    lastReply: () => last,
    lm: {
      identity: lm.identity,
      doGenerate: async (request, options) => {
        try {
          last = await lm.doGenerate(isAsked ? { ...request, topLogprobs } : request, options);
        } catch (error) {
          if (!isAsked || !LmError.isInstance(error) || !refusals.has(error.code)) throw error;
          last = await lm.doGenerate(request, options);
        }
        return last;
      },
    },
  };
}

/** The labels of a boolean or enum, with the JSON that a model writes for each. */
export function labelsOf({ shape }: Field): ReadonlyMap<string, string> | null {
  if (shape.kind === "boolean") return new Map(["true", "false"].map((label) => [label, label]));
  if (shape.kind !== "label") return null;
  return new Map(shape.options.map((label) => [label, JSON.stringify(label)]));
}

/** Reads the probabilities of each field from a call's outputs and reply, and decides. */
export function decisionsOf(
  {
    outputs,
    reply,
    fields,
  }: {
    readonly outputs: JsonObject;
    readonly reply: LmReply | undefined;
    readonly fields: readonly Field[];
  },
  sources: ProbabilitySources,
  weights: Readonly<Record<string, LabelWeights>> = {},
): Readonly<Record<string, LabelDecision>> {
  const { content = null, logprobs } = reply ?? {};
  return Object.fromEntries(
    fields.flatMap((field) => {
      const { name } = field;
      const source = getOwn(sources, name);
      const labels = labelsOf(field);
      if (source === undefined || labels === null) return [];
      const written = outputs[name] as string | boolean;
      const counted =
        source.logprobs === false || logprobs === undefined || content === null
          ? null
          : tokenProbabilities(logprobs, { json: jsonText(content), field: name, written: labels });
      const probabilities =
        counted ??
        (source.verbalized === undefined
          ? null
          : statedProbabilities(outputs, [...labels.keys()], source.verbalized));
      const of = { written, probabilities };
      const decision: LabelDecision = {
        written,
        decided: decidedLabel(of, getOwn(weights, name) ?? {}),
        source: probabilities === null ? null : counted === null ? "verbalized" : "logprobs",
        probabilities,
      };
      return [[name, decision]];
    }),
  );
}

/** The outputs with the labels that count. */
export function withDecided(
  outputs: JsonObject,
  decisions: Readonly<Record<string, LabelDecision>>,
): JsonObject {
  const decided = Object.entries(decisions).map(([field, held]) => [field, held.decided]);
  return { ...outputs, ...Object.fromEntries(decided) };
}

/**
 * The probability of each label from outputs in which the model stated its confidence, as shares of
 * their sum. Labels without such an output divide evenly what the others leave of 1.
 *
 * @param statedIn output field by label
 * @returns `null` if a confidence is missing or all are 0
 */
function statedProbabilities(
  outputs: JsonObject,
  labels: readonly string[],
  statedIn: Readonly<Record<string, string>>,
): Readonly<Record<string, number>> | null {
  const stated = labels.map((label) => {
    const field = getOwn(statedIn, label);
    if (field === undefined) return null;
    const value = getOwn(outputs, field);
    return typeof value === "number" ? Math.max(0, value) : Number.NaN;
  });
  const sum = stated.reduce<number>((total, value) => total + (value ?? 0), 0);
  const others = stated.filter((value) => value === null).length;
  const each = Math.max(0, 1 - sum) / others;
  return sharesOf(Object.fromEntries(labels.map((label, at) => [label, stated[at] ?? each])));
}

/** Labels that are still possible, each with what is left to write of it. */
type Rests = ReadonlyMap<string, string>;

/**
 * The probability of each label of a field, from the alternatives of the tokens in which its value
 * was written.
 *
 * At each token, the alternatives that begin, or continue, only one label add to it. Where several
 * labels begin alike, the tokens that follow divide what they share, as far as the reply wrote
 * them; alternatives for several labels that it did not write are divided evenly, since what
 * would have followed is unknown. Alternatives that fit every label, or none, are left out: a
 * server reports probabilities before or after it masks what the JSON schema forbids. Case counts
 * only where labels differ in it alone.
 *
 * @param json the reply's JSON object, as it was written
 * @returns `null` if the tokens do not say
 */
function tokenProbabilities(
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
  return left.length === right.length && left.every((label, index) => label === right[index]);
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
  for (let index = 0; index < object.length; index++) {
    const character = object.charAt(index);
    if (opened >= 0) {
      if (character === "\\") index++;
      if (character !== '"') continue;
      const isKey = depth === 1 && object.charAt(index + 1) === ":";
      if (isKey && object.slice(opened, index + 1) === key) found = index + 2;
      opened = -1;
    } else if (character === '"') opened = index;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
  }
  return found;
}
