import { forecast } from "../../evaluate/files.ts";
import type { EvaluationEvent } from "../../evaluate/index.ts";
import { replaceStderrLine, writeToStderr } from "./terminal.ts";

/** How far a piece of work has come. */
export interface Progress {
  readonly done: number;
  /** `null` where unknown. */
  readonly total: number | null;
  /** `null` while unknown. */
  readonly etaMs: number | null;
  /** What else there is to say: the best score so far, the cost. @default nothing */
  readonly notes?: readonly string[];
}

export interface ProgressLine extends Disposable {
  readonly show: (progress: Progress) => void;
  /** Shows the progress of an evaluation, with the mean so far and its faults. */
  readonly onEvent: (event: EvaluationEvent) => void;
}

/**
 * Shows progress on standard error: one rewritten line on a terminal, below everything that is
 * printed, until it is disposed of; elsewhere a plain line every 10 %, or at each power of two
 * where the total is unknown, at least two seconds apart.
 *
 * @param cost what the work took so far, in words
 */
export function progressLine(label: string, cost?: () => string): ProgressLine {
  const { stderr } = process;
  let faults = 0;
  let shownStep = 0;
  let lastWriteMs = Number.NEGATIVE_INFINITY;
  let [scored, sum] = [0, 0];

  const show = ({ done, total, etaMs, notes = [] }: Progress): void => {
    const isDone = done === total;
    const text = (): string =>
      [
        `${label}: ${done}${total === null ? "" : `/${total}`}`,
        ...notes,
        ...(cost === undefined ? [] : [cost()]),
        ...(etaMs === null || isDone ? [] : [`${duration(etaMs)} left`]),
        ...(faults === 0 ? [] : [`${faults} faults, retried`]),
      ].join(", ");
    const now = performance.now();
    if (!isDone && now - lastWriteMs < (stderr.isTTY ? 100 : 2_000)) return;
    const step = total === null ? Math.floor(Math.log2(done)) : Math.floor((10 * done) / total);
    if (stderr.isTTY) replaceStderrLine(text());
    else if (step > shownStep) writeToStderr(`${text()}\n`);
    else return;
    [lastWriteMs, shownStep] = [now, step];
  };

  return {
    show,
    onEvent: (event) => {
      if (event.kind === "example-retry") faults++;
      if (event.kind !== "example-end") return;
      const { score } = event.row;
      if (score.kind === "scored") [scored, sum] = [scored + 1, sum + score.value];
      const notes = scored === 0 ? [] : [`mean ${(sum / scored).toFixed(4)}`];
      show({ ...event, notes });
    },
    [Symbol.dispose]: () => {
      if (stderr.isTTY) replaceStderrLine("");
    },
  };
}

/** For the cost of a progress line. */
export function tokensText(tokens: number): string {
  return `${tokens.toLocaleString("en")} tokens`;
}

/** A progress line that estimates the time left itself, from its first call on. */
export function timedProgressLine(label: string): Disposable & {
  readonly show: (progress: { readonly done: number; readonly total: number }) => void;
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
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
