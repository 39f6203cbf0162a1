/** Work that is asked for more often than it need be done. */
export interface Coalesced {
  /** Has the work done, beginning after this call. */
  request(): void;
  /** Resolves once all that was asked for is done; rejects with what the work failed with. */
  settled(): Promise<void>;
}

/** Does the work at most once at a time: requests that come meanwhile share the next turn. */
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
