import { failureOf } from "../../errors/index.ts";

/** Errors of a listener; they do not end the run. */
export interface ListenerFailures {
  readonly count: number;
  /** Message of the first error. */
  readonly first: string;
}

export interface GuardedListener<TEvent> {
  readonly notify: (event: TEvent) => void;
  /** `null` when there were none. */
  failures(): ListenerFailures | null;
}

/** Forwards events to a listener and counts its throws and rejections. */
export function guardedListener<TEvent>(
  listener: (event: TEvent) => unknown,
): GuardedListener<TEvent> {
  let count = 0;
  let first = "";
  const note = (error: unknown): void => {
    if (count++ === 0) first = failureOf(error).message;
  };
  return {
    notify: (event) => {
      try {
        const answer = listener(event);
        if (answer instanceof Promise) answer.catch(note);
      } catch (error) {
        note(error);
      }
    },
    failures: () => (count === 0 ? null : { count, first }),
  };
}
