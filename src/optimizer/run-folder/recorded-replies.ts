import { dirname } from "node:path";
import type { LanguageModel, LmRole, LmCallOptions, LmReply } from "../../contract/index.ts";
import { isOnce, toolReply } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";
import { oncePer, systemClock } from "../../internal/index.ts";
import type { LedgerEntry } from "../../ledger/index.ts";
import { cached, callKeys, remoteCall, cacheOnly } from "../../lm/files.ts";
import type { Budget, PriceTable, ServerGate } from "../budget/index.ts";
import {
  budgetStop,
  callGate,
  deadline,
  serverGate,
  totalUsage,
  mayBeBilled,
} from "../budget/index.ts";
import { runAdvice, runLock } from "./run-folder.ts";
import type { WorkLog } from "./work-log.ts";
import { workLog } from "./work-log.ts";
import { openJsonlFile } from "../../storage/index.ts";

export interface RecordedRepliesOptions {
  /** Caps on calls, tokens, money and time; the others do not concern replies. @default none */
  readonly budget?: Pick<Budget, "lmCalls" | "toolCalls" | "tokens" | "costUsd" | "wallTimeMs">;
  readonly prices?: PriceTable | undefined;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/** A language model that never requests a recorded reply again. */
export interface RecordedReplies extends Disposable {
  readonly lm: LanguageModel;
  /** Another LM whose replies are recorded with these. */
  record(other: LanguageModel): LanguageModel;
  /** A tool of an agent whose results are recorded with these. */
  wrapTool(tool: LanguageModel): LanguageModel;
  /** What was sent to a server, by role, across all processes that wrote to the file. */
  billed(): { readonly [Role in LmRole]?: LedgerEntry["billed"] };
  /** Aborts when time is up, or with the caller's signal. */
  readonly signal: AbortSignal;
  /** The error that ended the work if time was up, instead of the caller's abort. */
  outOfTime(): Error | undefined;
  /** Records how much time has passed, for a process that continues after a kill. */
  noteTime(): void;
  spent(): {
    readonly lmCalls: number;
    readonly promptTokens: number;
    readonly completionTokens: number;
    /** With calls of unknown end at their worst case. */
    readonly costUsd: number;
    readonly wallTimeMs: number;
  };
}

/**
 * Records replies in a separate file, each before it is used: for calls that belong to a run but
 * not to its budget, such as the report on the test split. They have caps of their own: a recorded
 * reply counts in calls and tokens, which are counted as if nothing were cached, and costs nothing.
 * Holds the folder's lock, as a run does.
 *
 * @throws EspalierError `run-locked`, and from each LM `budget-exhausted` for a call that could
 *   exceed a cap
 */
export function recordedReplies(
  lm: LanguageModel,
  path: string,
  { budget = {}, prices, signal, clock = systemClock }: RecordedRepliesOptions = {},
): RecordedReplies {
  using stack = new DisposableStack();
  stack.use(runLock(dirname(path)));
  const file = openJsonlFile(path, runAdvice);
  stack.defer(() => file.close());
  const log = workLog(file);
  const gate = callGate(budget);
  gate.start();
  const { unendedUsd } = log;
  const server = serverGate(budget, prices, { billed: log.billed(), unendedUsd });
  const time = deadline(budget.wallTimeMs, log.elapsedMs, clock);
  const bound = stack.use(time.bound(signal, false));
  const record = (other: LanguageModel): LanguageModel => gate.wrap(journalled(other, log, server));
  const noteTime = (): void => log.addSoon({ kind: "elapsed", ms: time.spentMs() });
  const kept = stack.move();
  return {
    lm: record(lm),
    record,
    wrapTool: oncePer(record),
    billed: () => log.billed(),
    signal: bound.signal,
    outOfTime: () =>
      bound.isOver() && budget.wallTimeMs !== undefined
        ? budgetStop("wallTimeMs", budget.wallTimeMs, Math.round(time.spentMs()))
        : undefined,
    noteTime,
    spent: () => {
      const { calls, promptTokens, completionTokens } = totalUsage(gate.step);
      return {
        lmCalls: calls,
        promptTokens,
        completionTokens,
        costUsd: server.cash.spent,
        wallTimeMs: time.spentMs(),
      };
    },
    [Symbol.dispose]: () => {
      noteTime();
      kept.dispose();
    },
  };
}

/**
 * Records each call before it is sent and each reply before it is used, and answers recorded calls
 * from the log. A rollout repeated after a kill requests only replies that no process of the run
 * received. A call is recorded as sent once the gate has room for it: one that still waits at a
 * kill was never sent, and costs nothing.
 *
 * @param beforeSending if it throws, the call is neither recorded nor sent
 */
export function journalled(
  lm: LanguageModel,
  log: WorkLog,
  server: ServerGate,
  beforeSending?: () => void,
): LanguageModel {
  const { identity } = lm;
  const keyOf = callKeys(identity);
  const asked = remoteCall(lm);
  const noted: LanguageModel = {
    identity,
    doGenerate: async (request, options = {}) => {
      const key = keyOf(request, options.repetition ?? 0);
      const role = options.role ?? "student";
      const worstUsd = server.worstUsd(request, role);
      let refusal: unknown;
      const onRetry: LmCallOptions["onRetry"] = async (fault) => {
        try {
          await options.onRetry?.(fault);
        } catch (error) {
          // There is no room for a further request: the call ends with the fault of the last one.
          refusal = error;
          throw fault;
        }
        log.add({ kind: "sent-again", key, lostUsd: mayBeBilled(fault) ? worstUsd : 0 });
      };
      try {
        log.add({ kind: "sent", key, role, worstUsd });
        const isMade = options.made !== undefined;
        if (!isMade && isOnce(request) && log.isUnended(key)) return notRepeated(identity.model);
        return await asked.doGenerate(request, { ...options, onRetry });
      } catch (error) {
        const isAborted = options.signal?.aborted === true;
        log.add({
          kind: "failed",
          key,
          failure: failureOf(error, isAborted ? "aborted" : undefined),
        });
        throw refusal ?? error;
      }
    },
  };
  const admitted = server.wrap(noted);
  const checked: LanguageModel = {
    identity,
    doGenerate: async (request, options) => {
      beforeSending?.();
      return admitted.doGenerate(request, options);
    },
  };
  return cached(checked, log.replies);
}

/**
 * A call with side effects is made once at most: it may have taken effect before a kill, or
 * before its server failed. The reply does not count as one of the tool.
 */
function notRepeated(model: string): LmReply {
  const error = "This call was interrupted. Whether it took effect is unknown; it is not repeated.";
  return { ...toolReply({ ok: false, error }, model, 0), source: "recording" };
}

/**
 * Answers calls that the run has made, from its log; any other fails with `lm-reply-missing`. Asks
 * no server and records nothing.
 *
 * @param onMissing is told whose call has no reply, since a program or a metric may catch the error
 */
export function recordedOnly(
  { identity }: Pick<LanguageModel, "identity">,
  log: WorkLog,
  onMissing: (exampleId: string | undefined) => void,
): LanguageModel {
  const problem = "The run has not made this call yet";
  const replies = { get: (key: string) => log.replySinceRestart(key), set: () => undefined };
  return cached(cacheOnly(identity, { problem }, onMissing), replies);
}
