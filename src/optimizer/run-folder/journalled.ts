import type { LanguageModel, LmCallOptions, LmReply } from "../../contract/index.ts";
import { isOnce, toolReply } from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import { cached, callKeys, madeElsewhere, neverAsked } from "../../lm/files.ts";
import type { CashGate, RequestGate } from "../budget/index.ts";
import { mayBeBilled } from "../budget/index.ts";
import type { WorkLog } from "./work-log.ts";

interface JournalledOptions {
  /**
   * Lets calls through to the server. A call is recorded as sent once there is room for it: one
   * that still waits at a kill was never sent, and costs nothing. What it can cost at most is
   * charged if its end is never recorded.
   */
  readonly cash?: Pick<CashGate, "wrap" | "worstUsd">;
  /** The same for numbers of requests and of tool calls. */
  readonly requests?: RequestGate;
  /** If it throws, the call is neither recorded nor sent. */
  readonly beforeSending?: () => void;
}

/**
 * Records each call before it is sent and each reply before it is used, and answers recorded calls
 * from the log. A rollout repeated after a kill requests only replies that no process of the run
 * received.
 */
export function journalled(
  lm: LanguageModel,
  log: WorkLog,
  { cash, requests, beforeSending }: JournalledOptions = {},
): LanguageModel {
  const { identity } = lm;
  const keyOf = callKeys(identity);
  const asked = madeElsewhere(lm);
  const noted: LanguageModel = {
    identity,
    doGenerate: async (request, options = {}) => {
      const key = keyOf(request, options.repetition ?? 0);
      const role = options.role ?? "student";
      const worstUsd = cash?.worstUsd(request, role);
      let refusal: unknown;
      const onRetry: LmCallOptions["onRetry"] = async (fault) => {
        try {
          await options.onRetry?.(fault);
        } catch (error) {
          // There is no room for a further request: the call ends with the fault of the last one.
          refusal = error;
          throw fault;
        }
        log.sentAgain(key, mayBeBilled(fault) ? worstUsd : 0);
      };
      try {
        log.sent(key, role, worstUsd);
        const isMade = options.made !== undefined;
        if (!isMade && isOnce(request) && log.isUnended(key)) return notRepeated(identity.model);
        return await asked.doGenerate(request, { ...options, onRetry });
      } catch (error) {
        log.failed(key, failureOf(error, options.signal?.aborted === true ? "aborted" : undefined));
        throw refusal ?? error;
      }
    },
  };
  const counted = requests === undefined ? noted : requests.wrap(noted);
  const admitted = cash === undefined ? counted : cash.wrap(counted);
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
 * A call that changes the world is made once at most: it may have taken effect before a kill, or
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
  const replies = { get: (key: string) => log.replyOfCourse(key), set: () => undefined };
  return cached(neverAsked(identity, { problem }, onMissing), replies);
}
