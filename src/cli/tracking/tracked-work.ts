import { oneLine, withoutCredentials } from "../../internal/index.ts";
import type { Delivery } from "../../serve/index.ts";
import { printToStderr } from "../terminal/terminal.ts";
import type { OpenedTracker } from "./open-trackers.ts";

/** Listeners of one piece of work, one for each tracker. */
export interface TrackedWork<TListener> extends AsyncDisposable {
  /** Calls each of them; their faults are none of the work's. */
  each(call: (listener: TListener) => void): void;
}

/**
 * Once disposed of, it has sent what it could in a few seconds, and says in a line what it could
 * not.
 *
 * @param remedy the command that sends the rest to MLflow; `null` if there is none
 */
export function trackedWork<TListener extends { end(patienceMs: number): Promise<Delivery> }>(
  opened: readonly OpenedTracker[],
  {
    listenerOf,
    patienceMs,
    remedy,
  }: {
    readonly patienceMs: number;
    readonly listenerOf: (opened: OpenedTracker) => TListener;
    readonly remedy: () => string | null;
  },
): TrackedWork<TListener> {
  const listeners = opened.map((each) => ({ ...each, listener: listenerOf(each) }));
  return {
    each: (call) => {
      for (const { listener } of listeners) {
        try {
          call(listener);
        } catch {
          // What it lost, it counts.
        }
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(
        listeners.map(async ({ name, isMlflow, listener }) => {
          const { isComplete, problem = "it is slow" } = await listener.end(patienceMs);
          if (isComplete) return;
          const how = isMlflow ? remedy() : null;
          const next = how === null ? "what is missing is lost" : `to send the rest: ${how}`;
          const why = withoutCredentials(oneLine(problem)).slice(0, 300);
          printToStderr(`${name} has not got everything (${why}); ${next}`);
        }),
      );
    },
  };
}

/** The LM that each predictor asks, of what a command reports. */
export function lmsOf<TLm extends { readonly provider: string; readonly model: string }>({
  lm,
  lms = {},
}: {
  readonly lm: TLm;
  readonly lms?: Readonly<Record<string, TLm>>;
}): (name: string) => TLm {
  return (name) => (Object.hasOwn(lms, name) ? lms[name] : undefined) ?? lm;
}
