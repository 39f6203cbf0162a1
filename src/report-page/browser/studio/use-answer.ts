import { useEffect, useRef, useState } from "preact/hooks";
import { asked } from "./asked.ts";

export interface Asked<TAnswer> {
  /** The last answer; absent before the first. */
  readonly answer: TAnswer | undefined;
  /** Why there is no newer one. */
  readonly problem: string | undefined;
  /** Asks again, now or, while an answer is under way or not due, after it. */
  readonly again: () => void;
}

/**
 * An answer of the studio's server, which can be asked for again. One request is under way at most.
 *
 * @param dueMs when the next answer is due after this one; `null`: it is incomplete, ask at once
 */
export function useAnswer<TAnswer>(
  path: string,
  dueMs: (answer: TAnswer) => number | null,
): Asked<TAnswer> {
  const [answer, setAnswer] = useState<TAnswer>();
  const [problem, setProblem] = useState<string>();
  const asking = useRef({ isUnderWay: false, isWanted: false, notBefore: 0 });
  const ask = useRef<() => void>(() => undefined);
  ask.current = () => {
    const state = asking.current;
    if (state.isUnderWay) {
      state.isWanted = true;
      return;
    }
    state.isUnderWay = true;
    state.isWanted = false;
    const waitMs = Math.max(0, state.notBefore - performance.now());
    setTimeout(() => {
      state.isWanted = false;
      void asked<TAnswer>(path)
        .then(
          (found) => {
            const due = dueMs(found);
            state.notBefore = performance.now() + (due ?? 0);
            state.isWanted ||= due === null;
            setAnswer(found);
            setProblem(undefined);
          },
          (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)),
        )
        .finally(() => {
          state.isUnderWay = false;
          if (state.isWanted) ask.current();
        });
    }, waitMs);
  };
  useEffect(() => ask.current(), [path]);
  return { answer, problem, again: () => ask.current() };
}
