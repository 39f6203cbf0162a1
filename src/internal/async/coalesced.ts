/** Work that is requested more often than it needs to run. */
export interface Coalesced {
  /** Requests a run of the work that starts after this call. */
  request(): void;
  /** Resolves once all requested work is done; rejects with the work's error. */
  settled(): Promise<void>;
}

/** Runs the work at most once at a time: requests that arrive meanwhile share the next run. */
export function coalesced(work: () => Promise<void>): Coalesced {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failure: { readonly error: unknown } | undefined;
  const turn = async (): Promise<void> => {
    while (isWanted && failure === undefined) {
      isWanted = false;
      try {
        await work();
      } catch (error) {
        failure = { error };
      }
    }
    running = undefined;
  };
  return {
    request: () => {
      isWanted = true;
      running ??= turn();
    },
    settled: async () => {
      await running;
      if (failure !== undefined) throw failure.error;
    },
  };
}
