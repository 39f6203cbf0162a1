import type { Artifact } from "../../artifact/index.ts";
import { artifactCreatedAt, loadArtifact, versionOf } from "../../artifact/index.ts";
import type { LanguageModel, ImageUrl, RankedPassage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { ChatAnswer, ChatQuestion, LiveMetric } from "./chat-exchange.ts";
import { checkIntroduction } from "./introduction.ts";
import { isObject, parseJson } from "../../internal/index.ts";
import type { Field, FieldSchemas } from "../../signature/index.ts";
import { describeFields, imageFields, isImage } from "../../signature/index.ts";
import { citationsOf } from "./chat-exchange.ts";

/** A program behind a model id. Immutable. */
export interface ChatModel {
  /** The name that clients use, for example `r2rag/vanilla-rag`. It never contains a version. */
  readonly id: string;
  /** The program, with the texts and parameters of `version`. */
  readonly program: TunableProgram;
  /** First 12 hexadecimal digits of the artifact's hash; `declared` for the program as declared. */
  readonly version: string;
  /** The source of these texts and parameters; absent for the program as declared. */
  readonly artifact?: Artifact;
  /** When the artifact was made, ISO 8601; absent for the program as declared. */
  readonly madeAt?: string;
  /** What it answers, and from what: the page says it before the first question. */
  readonly description?: string;
  /** Questions that the page offers. */
  readonly exampleQuestions?: readonly string[];
  /** LMs for single predictors and rerankers, by name. */
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** Metrics by name. Comparisons of live versions use their mean as the score of an answer. */
  readonly liveMetrics?: Readonly<Record<string, LiveMetric>>;
  /** Called once per question, before the question is queued: must be cheap. */
  inputOf(question: ChatQuestion): unknown;
  answerOf(output: unknown): ChatAnswer;
}

/**
 * Puts a program behind a model id.
 *
 * @throws EspalierError `serving-invalid` for an id that cannot be served and for a description or
 *   example questions that cannot be shown; `artifact-drifted` when the artifact is of another
 *   program
 * @example
 * chatModel({
 *   id: "r2rag",
 *   program: r2rag(parts),
 *   inputOf: ({ question }) => ({ question }),
 *   answerOf: ({ answer, citations }) => ({ answer, citations: citationsOf(citations) }),
 * });
 */
export function chatModel<TInput, TOutput>({
  artifact,
  program,
  inputOf,
  answerOf,
  ...parts
}: {
  readonly id: string;
  readonly program: TunableProgram<TInput, TOutput>;
  /**
   * The version under the bare id, unless a registry has a production version.
   * @default the program as declared
   */
  readonly artifact?: Artifact;
  /** What it answers, and from what, in at most 500 characters. @default none */
  readonly description?: string;
  /** At most three, each of at most 200 characters. @default none */
  readonly exampleQuestions?: readonly string[];
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** Scores in [0, 1], in addition to `answered`, which always exists. @default none */
  readonly liveMetrics?: Readonly<Record<string, LiveMetric>>;
  /**
   * @default the message is the field `question`, or the only required text, and the conversation
   *   before it the field that takes one; where that leaves a field open, the message is JSON
   */
  readonly inputOf?: (question: ChatQuestion) => NoInfer<TInput>;
  /**
   * @default the field `answer`, or the only text, with the passages in `citations`, `passages` or
   *   `contexts`; without such a field, the output as JSON
   */
  readonly answerOf?: (output: NoInfer<TOutput>) => ChatAnswer;
}): ChatModel {
  if (!/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(parts.id) || parts.id.length > 100) {
    throw new EspalierError({
      code: "serving-invalid",
      problem: "A model id is invalid",
      expected: "at most 100 characters of a-z, 0-9, `.`, `_`, `-`, in parts separated by `/`",
      got: `"${parts.id}"`,
    });
  }
  checkIntroduction(parts);
  // Calls the program's methods: the program itself checks client input before it runs.
  const chat = inputOf && answerOf ? { inputOf, answerOf } : fieldsAsChat(program);
  const model: ChatModel = {
    ...parts,
    ...chat,
    ...(inputOf && { inputOf }),
    ...(answerOf && { answerOf }),
    program,
    version: "declared",
  };
  return artifact === undefined ? Object.freeze(model) : withArtifact(model, artifact);
}

/**
 * The same model with the texts and parameters of an artifact.
 *
 * @throws EspalierError `artifact-drifted`, naming what changed
 */
export function withArtifact(model: ChatModel, artifact: Artifact): ChatModel {
  const { madeAt: _before, ...parts } = model;
  const time = artifactCreatedAt(artifact);
  return Object.freeze({
    ...parts,
    artifact,
    program: loadArtifact(artifact, model.program),
    version: versionOf(artifact),
    ...(time !== null && { madeAt: time }),
  });
}

/** The model for a single question: calls `inputOf` once and reuses its result. */
export function withOneInput<TModel extends ChatModel>(model: TModel): TModel {
  let made: { readonly input: unknown } | undefined;
  return {
    ...model,
    inputOf: (question) => {
      made ??= { input: model.inputOf(question) };
      return made.input;
    },
  };
}

interface ProgramAsChat {
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
function fieldsAsChat({
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
  let index = 0;
  const seen: Record<string, ImageUrl | readonly ImageUrl[]> = {};
  for (const field of fields) {
    const takes = field === list || (field === last && list === undefined) ? left : 0;
    const own = filled.has(field) ? 1 : 0;
    const taken = images.slice(index, (index += own + takes));
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
