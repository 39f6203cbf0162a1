import type { ImageUrl, RankedPassage } from "../../contract/index.ts";
import { isObject, parseJson } from "../../internal/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { Field, FieldSchemas } from "../../signature/index.ts";
import { describeFields, imageFields, isImage } from "../../signature/index.ts";
import type { ChatAnswer, ChatQuestion } from "./chat-exchange.ts";
import { citationsOf } from "./chat-exchange.ts";

export interface ProgramAsChat {
  readonly inputOf: (question: ChatQuestion) => unknown;
  readonly answerOf: (output: unknown) => ChatAnswer;
}

/**
 * A program's input and output as a chat, for models that declare nothing else.
 *
 * Input: a field named `question`, or else the only text that is required, takes the last message;
 * a conversation takes the messages before it; a text of the role or name `time` or `currentTime`
 * takes the time; fields of images take the message's images, in order, the required ones first
 * where there are too few. Where that leaves a required field open, the message is the input as
 * JSON, beside its images, which go to fields that the JSON does not have.
 *
 * Output: the text named `answer`, or else the only text; if there is neither, the output as JSON.
 * Passages named `citations`, or else `passages` or `contexts`, are cited.
 */
export function fieldsAsChat({
  name,
  input,
  output,
}: Pick<TunableProgram, "name" | "input" | "output">): ProgramAsChat {
  return { inputOf: inputOf(name, input), answerOf: answerOf(name, output) };
}

function inputOf(program: string, schemas: FieldSchemas): ProgramAsChat["inputOf"] {
  const fields = describeFields(schemas, `program "${program}", input`);
  const required = fields.filter((field) => !field.isOptional && field.default === undefined);
  const asked = mainText(fields, required, "question");
  const before = fields.find(({ shape }) => shape.kind === "conversation")?.name;
  const time = fields.find(({ name, shape }) => name !== asked && isTime(name, shape))?.name;
  const shown = imageFields(fields);
  const lists = shown.filter((field) => isImage(field) === "list" && !field.isOptional);
  const noImages = Object.fromEntries(lists.map(({ name }) => [name, []]));
  const given = new Set([asked, before, time, ...shown.map((field) => field.name)]);
  const isChat =
    (asked !== undefined || shown.length > 0) && required.every(({ name }) => given.has(name));
  return ({ question, history, images, askedAt }) => {
    if (isChat) {
      return {
        ...(asked !== undefined && { [asked]: question }),
        ...(before !== undefined && { [before]: history }),
        ...(time !== undefined && { [time]: askedAt.toISOString() }),
        ...noImages,
        ...imagesByField(shown, images),
      };
    }
    const read = jsonIn(question);
    if (!isObject(read)) return read;
    const left = shown.filter((field) => !Object.hasOwn(read, field.name));
    return { ...read, ...imagesByField(left, images) };
  };
}

/**
 * The images in the order of the fields: one for each field that takes one, and for the first list
 * what the others leave. Too few go to required fields first. What no field takes goes to the last,
 * which then says that it does not fit.
 */
function imagesByField(
  fields: readonly Field[],
  images: readonly ImageUrl[],
): Readonly<Record<string, ImageUrl | readonly ImageUrl[]>> {
  const list = fields.find((field) => isImage(field) === "list");
  const singles = fields.filter((field) => isImage(field) === "one");
  const isOpen = (field: Field): boolean => !field.isOptional && field.default === undefined;
  const first = [...singles.filter(isOpen), ...singles.filter((field) => !isOpen(field))];
  const filled = new Set(first.slice(0, images.length));
  const left = images.length - filled.size;
  const last = fields.findLast((field) => filled.has(field));
  let place = 0;
  const seen: Record<string, ImageUrl | readonly ImageUrl[]> = {};
  for (const field of fields) {
    const takes = field === list || (field === last && list === undefined) ? left : 0;
    const own = filled.has(field) ? 1 : 0;
    const taken = images.slice(place, (place += own + takes));
    const [one] = taken;
    if (taken.length > 0 && one !== undefined) seen[field.name] = takes > 0 ? taken : one;
  }
  return seen;
}

function answerOf(program: string, schemas: FieldSchemas): ProgramAsChat["answerOf"] {
  const fields = describeFields(schemas, `program "${program}", output`);
  const text = mainText(fields, fields, "answer");
  const cited = ["citations", "passages", "contexts"].find((name) =>
    fields.some((field) => field.name === name && field.shape.kind === "passages"),
  );
  return (output): ChatAnswer => {
    const values = output as Readonly<Record<string, unknown>>;
    const passages = cited === undefined ? undefined : values[cited];
    return {
      answer: text === undefined ? JSON.stringify(output) : textIn(values[text]),
      ...(Array.isArray(passages) && { citations: citationsOf(passages as RankedPassage[]) }),
    };
  };
}

/** The field of that name if it is a text, else the only text among `candidates`. */
function mainText(
  fields: readonly Field[],
  candidates: readonly Field[],
  name: string,
): string | undefined {
  if (fields.some((field) => field.name === name && field.shape.kind === "text")) return name;
  const texts = candidates.filter(({ shape }) => shape.kind === "text");
  return texts.length === 1 ? texts[0]?.name : undefined;
}

function isTime(name: string, shape: Field["shape"]): boolean {
  return shape.kind === "text" && (shape.role === "time" || name === "currentTime");
}

/** What is no JSON stays as it is: the program says which input it expects. */
function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
