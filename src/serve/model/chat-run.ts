import type {
  ClientTools,
  ImageUrl,
  LanguageModel,
  StreamedPiece,
  Trace,
  Turn,
} from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import { ClientCallsError, failureOf } from "../../errors/index.ts";
import { saidText } from "../../internal/index.ts";
import type { ChatAnswer, ChatOutcome } from "./chat-exchange.ts";
import { noUsage, traceUsage } from "./chat-exchange.ts";
import type { ChatModel } from "./chat-model.ts";

/**
 * Progress of an answer. If the run completes, the deltas since the last `restarted`, or since the
 * beginning, add up to the answer.
 */
export type ChatEvent =
  | { readonly kind: "step"; readonly text: string }
  | { readonly kind: "delta"; readonly text: string }
  /** All earlier deltas are void. */
  | { readonly kind: "restarted" };

export interface ChatRunOptions {
  readonly question: string;
  readonly history: readonly Turn[];
  /** @default none */
  readonly images?: readonly ImageUrl[];
  /** What the client brings to the program's agent that takes tools. @default none */
  readonly clientTools?: ClientTools;
  /** Request id, for seeds, logs and errors. */
  readonly id: string;
  readonly lm: LanguageModel;
  /**
   * The same seed samples the same question the same way. @default a new sample for each request
   */
  readonly seed?: number;
  /** @default now */
  readonly askedAt?: Date;
  readonly signal?: AbortSignal;
  /** Must not throw. */
  readonly onEvent?: (event: ChatEvent) => void;
}

/**
 * Runs a model on one question. Never rejects: the outcome's `failure` says what went wrong, with
 * the usage so far.
 */
export async function runChat(
  model: ChatModel,
  {
    question,
    history,
    images = [],
    clientTools,
    id,
    lm,
    seed,
    askedAt = new Date(),
    signal,
    onEvent,
  }: ChatRunOptions,
): Promise<ChatOutcome> {
  const { version } = model;
  const unanswered = (trace: Trace | null): ChatOutcome => ({
    answer: "",
    citations: [],
    contexts: [],
    usage: trace === null ? noUsage : traceUsage(trace),
    version,
    trace,
  });
  const failed = (failure: Failure, trace: Trace | null): ChatOutcome => ({
    ...unanswered(trace),
    failure,
  });
  let trace: Trace | null = null;
  try {
    const deltas = onEvent && answerDeltas(onEvent);
    const attempt = await model.program.attempt(
      model.inputOf({ question, history, images, askedAt }),
      {
        lm,
        ...(model.lms && { lms: model.lms }),
        // Each call derives its seed from both, so a request without a seed of its own is unique.
        seed: seed ?? 0,
        ...(seed === undefined && { requestId: id }),
        ...(clientTools && { clientTools }),
        ...(signal && { signal }),
        // Without a listener the LM returns whole replies, which cost less to read.
        ...(onEvent && { onStep: ({ text }) => onEvent({ kind: "step", text }) }),
        ...(deltas && { onStream: deltas.piece }),
      },
    );
    ({ trace } = attempt);
    if (attempt.state === "failed") {
      const { error, failure } = attempt;
      if (!ClientCallsError.isInstance(error)) return failed(failure, trace);
      return { ...unanswered(trace), clientCalls: error.calls };
    }
    const { answer, citations = [], contexts } = model.answerOf(attempt.output);
    deltas?.end(answer);
    return {
      answer,
      citations,
      contexts: contexts ?? citations.map(({ text }) => text),
      output: attempt.output,
      usage: traceUsage(trace),
      version,
      trace,
    };
  } catch (error) {
    return failed(failureOf(error), trace);
  }
}

/**
 * Keeps the deltas in step with the answer, also if the program streams several fields, or none.
 */
function answerDeltas(onEvent: (event: ChatEvent) => void): {
  readonly piece: (piece: StreamedPiece) => void;
  readonly end: (answer: ChatAnswer["answer"]) => void;
} {
  let source = "";
  let sent = saidText();
  const send = (text: string): void => {
    if (text === "") return;
    sent.add(text);
    onEvent({ kind: "delta", text });
  };
  const restart = (): void => {
    if (sent.length > 0) onEvent({ kind: "restarted" });
    sent = saidText();
  };
  return {
    piece: ({ path, field, text, restarted }) => {
      const from = `${path}.${field}`;
      if (restarted === true || from !== source) restart();
      source = from;
      send(text);
    },
    end: (answer) => {
      if (!sent.begins(answer)) restart();
      send(answer.slice(sent.length));
    },
  };
}

/**
 * A program that ignores its signal must not block the client, or a slot, forever: some time after
 * the abort its run counts as failed. Its usage is then unknown.
 */
export async function settleAfterAbort(
  run: Promise<ChatOutcome>,
  { signal, version }: { readonly signal: AbortSignal; readonly version: string },
): Promise<ChatOutcome> {
  const stuck = Promise.withResolvers<ChatOutcome>();
  let patience: NodeJS.Timeout | undefined;
  const wait = (): void => {
    patience = setTimeout(() => stuck.resolve({ ...abandonedOutcome, version }), patienceMs);
  };
  signal.addEventListener("abort", wait, { once: true });
  try {
    return await Promise.race([run, stuck.promise]);
  } finally {
    signal.removeEventListener("abort", wait);
    clearTimeout(patience);
  }
}

const patienceMs = 2_000;

const abandonedOutcome: Omit<ChatOutcome, "version"> = {
  answer: "",
  citations: [],
  contexts: [],
  usage: noUsage,
  trace: null,
  failure: {
    kind: "aborted",
    code: "aborted",
    message: "The program kept running after it was aborted.",
  },
};
