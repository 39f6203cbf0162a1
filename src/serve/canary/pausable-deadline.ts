import type { Clock } from "../../internal/index.ts";

/** A deadline whose clock stops while it is paused. */
export interface PausableDeadline extends Disposable {
  pause(): void;
  /** Call once per pause. */
  resume(): void;
}

/** @param onExpired called once, unless the deadline was disposed of */
export function pausableDeadline(
  durationMs: number,
  { clock, onExpired }: { readonly clock: Clock; readonly onExpired: () => void },
): PausableDeadline {
  let leftMs = durationMs;
  let holders = 0;
  let isOver = false;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    since = clock.now();
    timer = setTimeout(() => {
      isOver = true;
      onExpired();
    }, leftMs);
  };
  start();
  return {
    pause: () => {
      holders += 1;
      if (holders > 1) return;
      clearTimeout(timer);
      leftMs -= clock.now() - since;
    },
    resume: () => {
      holders -= 1;
      if (holders === 0 && !isOver) start();
    },
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
