import { forecast } from "../../evaluate/files.ts";
import type { EvaluationEvent } from "../../evaluate/index.ts";
import { replaceStderrLine, writeToStderr } from "./terminal.ts";

/** How far a piece of work has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** `null` while nobody can tell. */
  readonly etaMs: number | null;
}

export interface ProgressLine extends Disposable {
  readonly show: (progress: Progress) => void;
  /** Shows the progress of an evaluation, with its faults. */
  readonly onEvent: (event: EvaluationEvent) => void;
}

/**
 * Shows progress on standard error: one rewritten line on a terminal, elsewhere a line every 10 %.
 */
export function progressLine(label: string): ProgressLine {
  const { stderr } = process;
  let faults = 0;
  let shownTenths = 0;
  let lastWriteMs = Number.NEGATIVE_INFINITY;

  const show = ({ done, total, etaMs }: Progress): void => {
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
    show,
    onEvent: (event) => {
      if (event.kind === "example-retry") faults++;
      if (event.kind === "example-end") show(event);
    },
    [Symbol.dispose]: () => {
      if (stderr.isTTY) replaceStderrLine("");
    },
  };
}

/** A progress line that estimates the time left itself, from its first call on. */
export function timedProgressLine(label: string): Disposable & {
  readonly show: (progress: Omit<Progress, "etaMs">) => void;
} {
  const line = progressLine(label);
  let estimate: ReturnType<typeof forecast> | undefined;
  return {
    show: ({ done, total }) => {
      estimate ??= forecast(total);
      line.show({ done, total, etaMs: estimate.etaMs(done) });
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
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
