import type { EvaluationEvent } from "../../evaluate/index.ts";
import { replaceStderrLine, writeToStderr } from "./terminal.ts";

/**
 * Shows progress on standard error: one rewritten line on a terminal, elsewhere a line every 10 %.
 */
export function progressLine(label: string): Disposable & {
  readonly onEvent: (event: EvaluationEvent) => void;
} {
  const { stderr } = process;
  let faults = 0;
  let shownTenths = 0;
  let lastWriteMs = Number.NEGATIVE_INFINITY;

  const show = (done: number, total: number, etaMs: number | null): void => {
    const text = [
      `${label}: ${done}/${total}`,
      ...(etaMs === null || done === total ? [] : [`${duration(etaMs)} left`]),
      ...(faults === 0 ? [] : [`${faults} faults, retried`]),
    ].join(", ");
    if (stderr.isTTY) {
      const now = performance.now();
      if (done < total && now - lastWriteMs < 100) return;
      lastWriteMs = now;
      replaceStderrLine(text);
      return;
    }
    const tenths = Math.floor((10 * done) / total);
    if (tenths > shownTenths) writeToStderr(`${text}\n`);
    shownTenths = tenths;
  };

  return {
    onEvent: (event) => {
      if (event.kind === "example-retry") faults++;
      if (event.kind === "example-end") show(event.done, event.total, event.etaMs);
    },
    [Symbol.dispose]: () => {
      if (stderr.isTTY) replaceStderrLine("");
    },
  };
}

/** `95_000` is "1 min 35 s". */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
