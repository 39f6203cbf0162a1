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
  const asking = useRef({ isUnderWay: false, isWanted: false, due: Promise.resolve() });
  const ask = useRef<() => void>(() => undefined);
  ask.current = () => {
    const state = asking.current;
    if (state.isUnderWay) {
      state.isWanted = true;
      return;
    }
    state.isUnderWay = true;
    const answered = async (): Promise<void> => {
      await state.due;
      state.isWanted = false;
      try {
        const found = await asked<TAnswer>(path);
        const due = dueMs(found);
        state.due = new Promise((done) => setTimeout(done, due ?? 0));
        state.isWanted ||= due === null;
        setAnswer(found);
        setProblem(undefined);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
      }
      state.isUnderWay = false;
      if (state.isWanted) ask.current();
    };
    void answered();
  };
  useEffect(() => ask.current(), [path]);
  return { answer, problem, again: () => ask.current() };
}
