import type { LanguageModel } from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import { errorCodes, failureOf } from "../../errors/index.ts";
import { standingFailure } from "../../evaluate/index.ts";
import { linkedAbort } from "../../internal/index.ts";
import type { ChatModel } from "../model/chat-model.ts";
import type { ChatOutcome } from "../model/chat-outcome.ts";
import { runChat } from "../model/chat-run.ts";
import { defaultMaxInput, inputTooLong } from "../model/input-too-long.ts";
import { withOneInput } from "../model/with-one-input.ts";
import type { BatchQuestion } from "./read-questions.ts";
import type { ResultLine } from "./result-line.ts";
import { failedLine, resultLine } from "./result-line.ts";

/** How a batch ended. */
export interface BatchOutcome {
  /** Questions with a line now, failed ones among them. */
  readonly written: number;
  /** Lines that say that the program failed on their question. */
  readonly failed: number;
  /** Questions without a line, through faults of a server or because the batch was ended. */
  readonly left: number;
  /** Why the batch was ended before it had tried all; `null` where it had. */
  readonly stopped: Failure | null;
}

export interface AnswerQuestionsOptions {
  readonly model: ChatModel;
  readonly lm: LanguageModel;
  readonly questions: readonly BatchQuestion[];
  /** Questions answered at a time. */
  readonly concurrency: number;
  /** Characters of a text whose field has no maximum of its own; a longer one is not asked. @default 32,768 */
  readonly maxInput?: number;
  readonly signal: AbortSignal;
  /** Takes each line as it comes, in any order; what it throws ends the batch. */
  readonly onLine: (line: ResultLine) => void;
  /** Hears of each question that was tried. */
  readonly onTried?: (tried: number) => void;
}

/**
 * Answers questions side by side. A question that the program fails on gets a line that says so; one that
 * a server's fault kept from being answered gets none, also where the program made do without the server,
 * so that a later run asks it again. Each question is sampled by its iid: asked again, it is asked the
 * same.
 */
export async function answerQuestions({
  model,
  lm,
  questions,
  concurrency,
  maxInput = defaultMaxInput,
  signal,
  onLine,
  onTried = () => undefined,
}: AnswerQuestionsOptions): Promise<BatchOutcome> {
  const either = linkedAbort([signal]);
  const waiting = questions.values();
  let written = 0;
  let failed = 0;
  let tried = 0;
  let faultsInRow = 0;
  let stopped: Failure | null = null;

  const stop = (failure: Failure): void => {
    stopped ??= failure;
    either.abort();
  };
  const answer = async ({ query, iid }: BatchQuestion): Promise<void> => {
    const asked = { question: query, history: [], askedAt: new Date() };
    const given = withOneInput(model);
    const tooLong = inputTooLong(given, asked, maxInput);
    if (tooLong !== null) {
      tried += 1;
      written += 1;
      failed += 1;
      onLine(failedLine(iid, tooLong));
      onTried(tried);
      return;
    }
    const outcome = await runChat(given, {
      ...asked,
      id: String(iid),
      lm,
      signal: either.signal,
    });
    if (either.signal.aborted) return;
    tried += 1;
    const failure = faultOf(outcome);
    if (failure === null || isOfQuestion(failure)) {
      faultsInRow = 0;
      try {
        onLine(
          failure === null
            ? resultLine(iid, outcome)
            : failedLine(iid, errorCodes[failure.code][1]),
        );
        written += 1;
        if (failure !== null) failed += 1;
      } catch (error) {
        stop(failureOf(error));
      }
    } else {
      faultsInRow += 1;
      if (failure.kind !== "infrastructure" || faultsInRow >= mostFaultsInRow) stop(failure);
    }
    onTried(tried);
  };
  const work = async (): Promise<void> => {
    for (const question of waiting) {
      if (either.signal.aborted) return;
      await answer(question);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  either.release();
  if (signal.aborted) {
    stopped ??= { kind: "aborted", code: "aborted", message: "The batch was interrupted." };
  }
  return { written, failed, left: questions.length - written, stopped };
}

/** The client has tried each call several times by then: the server is down. */
const mostFaultsInRow = 3;

function faultOf({ failure, trace }: ChatOutcome): Failure | null {
  if (trace === null) return failure ?? null;
  return standingFailure({ state: "completed", output: null, trace }) ?? failure ?? null;
}

/** Another question may fare better. */
function isOfQuestion({ kind, code }: Failure): boolean {
  return kind === "format" || (kind === "program" && !code.startsWith("lm-") && !ofFiles.has(code));
}

const ofFiles: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "cache-unusable",
  "write-failed",
]);
