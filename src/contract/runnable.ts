import type { Failure } from "../errors/index.ts";
import type { Component } from "./component.ts";
import type { Example } from "./example.ts";
import type { JsonObject } from "./json.ts";
import type { LanguageModel, LmDelta, LmRole } from "./language-model.ts";
import type { ClientTools } from "./tool.ts";
import type { Trace, TraceClock } from "./trace.ts";

/**
 * What labels say about one predictor on one example: what it should be given, merged into its
 * inputs, or all outputs that it should give, returned in place of a call.
 */
export type GoldPart = { readonly inputs: JsonObject } | { readonly outputs: JsonObject };

/**
 * Gold by predictor. An optimizer runs failing examples of train again with one part in its place,
 * which tells a step at fault from the steps around it. `null`: nothing is known of this example.
 */
export type Gold<TInput = unknown, TLabels = unknown> = Readonly<
  Record<string, GoldOf<TInput, TLabels>["of"]>
>;

/** A method, so that a study of any examples is a `Study`, as with its objective. */
interface GoldOf<TInput, TLabels> {
  of(example: Example<TInput, TLabels>): GoldPart | null;
}

/** `TPartial` is what a listener hears of the outputs while they are written. */
export interface RunOptions<TPartial = unknown> {
  readonly lm: LanguageModel;
  /** LMs for single predictors and rerankers, by name; the others use `lm`. */
  readonly lms?: Readonly<Record<string, LanguageModel>>;
  /**
   * Run seed; each call's LM seed is derived from it, `exampleId` or `requestId`, path and
   * repetition. @default 0
   */
  readonly seed?: number;
  /** Demonstrations of this example, and of its cluster, are not shown. @default "" */
  readonly exampleId?: string;
  /**
   * Names the run in seeds, logs and errors where there is no `exampleId`, since the input is no
   * example. It may equal an example's id by chance, so it keeps no demonstration out.
   * @default none
   */
  readonly requestId?: string;
  /** Cluster of the example. @default the example's own id */
  readonly cluster?: string;
  /** @default 0 */
  readonly repetition?: number;
  /** @default "student" */
  readonly role?: LmRole;
  readonly signal?: AbortSignal;
  /** For the times of the trace, on which nothing else depends. @default the system's */
  readonly clock?: TraceClock;
  /**
   * Wraps each tool of an agent, which is called like an LM: records its calls, counts them, or
   * answers in its place. @default the tool itself
   */
  readonly wrapTool?: (tool: LanguageModel) => LanguageModel;
  /**
   * Whether tools with side effects may run. If not, their mocks answer; one without ends
   * the run. @default true, except in role "shadow"
   */
  readonly allowsSideEffects?: boolean;
  /** The caller's own tools, for the program's agent that takes them. @default none */
  readonly clientTools?: ClientTools;
  /** Gold by predictor, in place of its inputs or its call. @default none */
  readonly gold?: Readonly<Record<string, GoldPart>>;
  /** Streams the LM's text as it arrives, with the path of the call it belongs to. */
  readonly onDelta?: (path: string, delta: LmDelta) => void;
  /**
   * Receives each step that the program reports through `call.step`, so that a waiting client can
   * see progress. Must not throw. Steps are not in the trace.
   */
  readonly onStep?: (step: ProgramStep) => void;
  /**
   * Receives the text of the fields that the program streams (`predictor(inputs, { stream: "answer"
   * })`) as it is written. Must not throw. `onDelta`, by contrast, receives raw replies, with their
   * JSON syntax.
   */
  readonly onStream?: (piece: StreamedPiece) => void;
  /**
   * Receives the outputs as they grow: of a predictor, or of a program whose function says which
   * call gives them (`predictor(inputs, { stream: true })`), as far as the program has outputs of
   * the same names. What it receives is not checked yet; the last time, it is. Must not throw.
   */
  readonly onPartial?: PartialListener<TPartial>;
}

/** What a program reports that it is doing, for people to read. */
export interface ProgramStep {
  /** Path of the scope that reports it: `hop[2]`; empty outside scopes. */
  readonly path: string;
  readonly text: string;
}

/**
 * A piece of one text field. Once the call has succeeded, the pieces since its last restart, or
 * since its beginning, add up to the field's text.
 */
export interface StreamedPiece {
  /** Path of the predictor's call. */
  readonly path: string;
  readonly field: string;
  readonly text: string;
  /** Earlier pieces are void: the reply was unusable or broke off, and is requested again. */
  readonly restarted?: true;
}

/**
 * A value while it is being written. Fields may be missing, lists may be shorter, texts may be
 * beginnings; numbers, booleans and labels are complete where they are there.
 */
export type DeepPartial<TValue> = unknown extends TValue
  ? TValue
  : TValue extends string | number | boolean | null | undefined
    ? TValue
    : TValue extends readonly (infer TItem)[]
      ? readonly DeepPartial<TItem>[]
      : TValue extends object
        ? { readonly [K in keyof TValue]?: DeepPartial<TValue[K]> }
        : TValue;

/** Where partial outputs come from, and where they still grow. */
export interface PartialOrigin {
  /** Path of the predictor's call. */
  readonly path: string;
  /**
   * Keys and indices that lead to what is being written, for example `["items", 3, "name"]`; `null`
   * once the outputs are whole.
   */
  readonly growing: readonly (string | number)[] | null;
  /** Earlier outputs are void: the reply was unusable or broke off, and is requested again. */
  readonly restarted?: true;
}

/**
 * Receives outputs as they grow, each time as a new value. Must not throw. A method's type: a
 * program of known outputs is also one of unknown ones.
 */
export type PartialListener<TPartial = JsonObject> = {
  listen(outputs: TPartial, origin: PartialOrigin): void;
}["listen"];

/** How one run ended. `error` is the thrown value; `failure` describes it as data. */
export type Attempt<TOutput> =
  | { readonly state: "completed"; readonly output: TOutput; readonly trace: Trace }
  | {
      readonly state: "failed";
      readonly failure: Failure;
      readonly error: unknown;
      readonly trace: Trace;
    };

/** What an evaluation needs of a program. `attempt` never rejects: a failing run is data. */
export interface Runnable<TInput = unknown, TOutput = unknown> {
  readonly name: string;
  readonly version: string;
  readonly module?: string;
  /**
   * Checks one input without running; returns a sentence that says why it is unusable, or `null`.
   */
  inputProblem(input: unknown): string | null;
  /** What a worker needs for its own copy of the program. Without it, only this process runs it. */
  components?(): readonly Component[];
  attempt(input: TInput, options: RunOptions): Promise<Attempt<TOutput>>;
}
