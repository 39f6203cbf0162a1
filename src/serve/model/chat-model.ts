import type { Artifact } from "../../artifact/index.ts";
import { artifactCreatedAt, loadArtifact, versionOf } from "../../artifact/index.ts";
import type { LanguageModel, Turn } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { TunableProgram } from "../../program/index.ts";
import type { ChatAnswer } from "./chat-answer.ts";
import type { LiveMetric } from "./live-metric.ts";

/** What a person asks of a chat model. */
export interface ChatQuestion {
  /** The last message of the user. */
  readonly question: string;
  /** The conversation before it, oldest turn first. */
  readonly history: readonly Turn[];
  /** For programs that are told the time. */
  readonly askedAt: Date;
}

/** A program behind a model id. Immutable. */
export interface ChatModel {
  /** What a client names: `r2rag/vanilla-rag`. Never with a version. */
  readonly id: string;
  /** With the texts and parameters of `version` in it. */
  readonly program: TunableProgram;
  /**
   * First 12 hexadecimal digits of the artifact's hash; `declared` for the program as it stands.
   */
  readonly version: string;
  /** Whose texts and parameters these are; absent for the program as it stands. */
  readonly artifact?: Artifact;
  /** When the artifact was made, ISO 8601; absent for the program as it stands. */
  readonly madeAt?: string;
  /** LMs for single predictors and rerankers, by name. */
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** By name; their mean is how good an answer is when versions are compared while they serve. */
  readonly liveMetrics?: Readonly<Record<string, LiveMetric>>;
  /** Called once for each question, before it waits for its turn: must be cheap. */
  inputOf(question: ChatQuestion): unknown;
  answerOf(output: unknown): ChatAnswer;
}

/**
 * Puts a program behind a model id.
 *
 * @throws EspalierError `serving-invalid` for an id that cannot be served; `artifact-drifted` when
 *   the artifact is of another program
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
  ...parts
}: {
  readonly id: string;
  readonly program: TunableProgram<TInput, TOutput>;
  /**
   * What is served under the bare id, unless a registry has a production version.
   * @default the program as it stands
   */
  readonly artifact?: Artifact;
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /** Scores in [0, 1], beside `answered`, which there always is. @default none */
  readonly liveMetrics?: Readonly<Record<string, LiveMetric>>;
  readonly inputOf: (question: ChatQuestion) => NoInfer<TInput>;
  readonly answerOf: (output: NoInfer<TOutput>) => ChatAnswer;
}): ChatModel {
  if (!/^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/.test(parts.id) || parts.id.length > 100) {
    throw new EspalierError({
      code: "serving-invalid",
      problem: "A model id cannot be served",
      expected: "at most 100 of a-z, 0-9, `.`, `_`, `-`, in parts separated by `/`",
      got: `"${parts.id}"`,
    });
  }
  // Methods: what a client sends is checked by the program itself before it runs.
  const model: ChatModel = { ...parts, program, version: "declared" };
  return artifact === undefined ? Object.freeze(model) : withArtifact(model, artifact);
}

/**
 * The same model with what an artifact holds.
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
