import type { Artifact } from "../../artifact/index.ts";
import { artifactCreatedAt, loadArtifact, versionOf } from "../../artifact/index.ts";
import type { LanguageModel } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { ChatAnswer, ChatQuestion, LiveMetric } from "./chat-exchange.ts";
import { checkIntroduction } from "./introduction.ts";
import { fieldsAsChat } from "./fields-as-chat.ts";

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
