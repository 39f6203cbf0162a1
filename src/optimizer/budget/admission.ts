import type {
  Failure,
  LanguageModel,
  LmCallOptions,
  LmReply,
  LmRequest,
} from "../../contract/index.ts";
import { failureOf } from "../../errors/index.ts";
import type { Cap } from "./budget.ts";
import { budgetStop } from "./budget.ts";

/**
 * Admits work only when its worst case fits under a cap, on top of what is spent and what work in
 * flight may still spend, so the cap is never exceeded. Near the cap, work waits for other work to
 * end.
 */
export interface Admission {
  readonly spent: number;
  /**
   * Rejects with `budget-exhausted` when the work does not fit and nothing in flight could make
   * room.
   */
  admit(worst: number): Promise<void>;
  /**
   * Admits work that may take less than what it asks for, and returns how much: less only where
   * nothing in flight could make room. `undefined` without a limit: there is nothing to settle.
   */
  admitUpTo(wanted: number): Promise<number | undefined>;
  /** Counts what was spent elsewhere, in room that is reserved for it. */
  add(actual: number): void;
  /** Ends admitted work. */
  settle(worst: number, actual: number): void;
  /** Replaces the amount spent. */
  reset(spent: number): void;
}

export function admission(cap: Cap, limit: number = Infinity, start = 0): Admission {
  let spent = start;
  let reserved = 0;
  let inFlight = 0;
  let ended = Promise.withResolvers<void>();
  return {
    get spent() {
      return spent;
    },
    admit: async (worst) => {
      while (spent + reserved + worst > limit) {
        if (inFlight === 0) throw budgetStop(cap, limit, spent);
        await ended.promise;
      }
      inFlight++;
      reserved += worst;
    },
    admitUpTo: async (wanted) => {
      if (limit === Infinity) return undefined;
      while (spent + reserved + wanted > limit && inFlight > 0) await ended.promise;
      const granted = Math.min(wanted, limit - spent);
      if (granted <= 0) throw budgetStop(cap, limit, spent);
      inFlight++;
      reserved += granted;
      return granted;
    },
    add: (actual) => {
      spent += actual;
    },
    settle: (worst, actual) => {
      inFlight--;
      // Summing fractions leaves a remainder; with nothing in flight the sum is exactly 0.
      reserved = inFlight === 0 ? 0 : reserved - worst;
      spent += actual;
      ended.resolve();
      ended = Promise.withResolvers();
    },
    reset: (value) => {
      spent = value;
    },
  };
}

/**
 * Makes a call under a cap, with room of its own for each request of it: one that is sent again
 * after a fault waits for room beside what the one before may have taken.
 */
export async function eachRequest(
  cap: Admission,
  lm: LanguageModel,
  {
    request,
    options,
    worst,
    actualOf,
    lostTo,
  }: {
    readonly request: LmRequest;
    readonly options: LmCallOptions | undefined;
    /** The most that one request can take. */
    readonly worst: number;
    readonly actualOf: (reply: LmReply) => number;
    /** What a request without a reply may have taken. */
    readonly lostTo: (fault: Pick<Failure, "code">) => number;
  },
): Promise<LmReply> {
  // What was made elsewhere was let through there.
  const isMade = options?.made !== undefined;
  let isAdmitted = false;
  const admit = async (): Promise<void> => {
    if (!isMade) await cap.admit(worst);
    isAdmitted = true;
  };
  const end = (actual: number): void => {
    isAdmitted = false;
    if (isMade) cap.add(actual);
    else cap.settle(worst, actual);
  };
  await admit();
  try {
    const reply = await lm.doGenerate(request, {
      ...options,
      onRetry: async (fault) => {
        end(lostTo(fault));
        await options?.onRetry?.(fault);
        await admit();
      },
    });
    end(actualOf(reply));
    return reply;
  } catch (error) {
    if (isAdmitted) {
      end(lostTo(failureOf(error, options?.signal?.aborted === true ? "aborted" : undefined)));
    }
    throw error;
  }
}

/**
 * Whether a request without a usable reply may still have been billed: its end is unknown, its
 * reply could not be used, or the server failed over it, perhaps in mid-reply. A server that
 * rejects a request does not bill it.
 */
export function mayBeBilled({ code }: Pick<Failure, "code">): boolean {
  return !unbilled.has(code);
}

const unbilled: ReadonlySet<Failure["code"]> = new Set<Failure["code"]>([
  "budget-exhausted",
  "lm-rate-limited",
  "lm-unavailable",
  "lm-request-refused",
  "lm-unauthorized",
  "lm-not-found",
  "lm-unsupported",
  "lm-context-overflow",
  "lm-prompt-refused",
  "lm-quota-exhausted",
  "lm-reply-missing",
]);

/** Whether the call failed before any request of it left: it did not fit, or cannot be asked. */
export function neverSent({ code }: Pick<Failure, "code">): boolean {
  return code === "budget-exhausted" || code === "lm-unsupported" || code === "lm-reply-missing";
}
