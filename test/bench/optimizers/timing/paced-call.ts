/** Calls of an LM that answers after 20 ms, and the maximum of them in flight. */
export function pacedCall(): { readonly call: () => Promise<void>; readonly most: () => number } {
  let [now, most] = [0, 0];
  return {
    call: async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now--;
    },
    most: () => most,
  };
}

/**
 * Calls that all take the same time, which costs none: those in flight are answered together once
 * nothing else is left to do. Counts how often that was, whatever the machine's load.
 */
export function countedWaits(): {
  readonly call: () => Promise<void>;
  readonly waits: () => number;
} {
  let [waits, inFlight]: [number, (() => void)[]] = [0, []];
  const answer = (turns: number): void => {
    setImmediate(() => {
      if (turns > 0) {
        answer(turns - 1);
        return;
      }
      const answered = inFlight;
      inFlight = [];
      waits++;
      for (const resolve of answered) resolve();
    });
  };
  return {
    call: async () =>
      new Promise((resolve) => {
        inFlight.push(resolve);
        // A search may let the event loop turn before it sends its next call.
        if (inFlight.length === 1) answer(3);
      }),
    waits: () => waits,
  };
}
