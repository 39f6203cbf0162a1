import type { LmCallOptions } from "../../contract/index.ts";

/** Whether a caller has been shown pieces of a stream that may have to be sent again. */
export interface ShownPieces {
  /** The caller's options; where the caller listens, they note what it is shown. */
  readonly options: LmCallOptions;
  /** Whether the caller was shown something that it cannot take back. */
  isFinal(): boolean;
  /** Before a stream begins: takes back what the caller was shown of the one before. */
  restart(): void;
}

/** For wrappers that may ask more than once for a call. */
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
