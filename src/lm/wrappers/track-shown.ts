import type { LmCallOptions } from "../../contract/index.ts";

/** Tracks whether a caller has seen pieces of a stream that may have to be sent again. */
export interface ShownPieces {
  /** The caller's options; if the caller listens, they record what it sees. */
  readonly options: LmCallOptions;
  /** Whether the caller has seen something that it cannot take back. */
  isFinal(): boolean;
  /** Call before a stream begins: takes back what the caller saw of the previous one. */
  restart(): void;
}

/** For wrappers that may send more than one request per call. */
export function trackShown(options: LmCallOptions): ShownPieces {
  const { onDelta, onRestart } = options;
  let isShown = false;
  return {
    options:
      onDelta === undefined
        ? options
        : {
            ...options,
            onDelta: (delta) => {
              isShown = true;
              onDelta(delta);
            },
          },
    isFinal: () => isShown && onRestart === undefined,
    restart: () => {
      if (isShown) onRestart?.();
      isShown = false;
    },
  };
}
