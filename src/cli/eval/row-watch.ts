import type { LanguageModel, LmCallOptions } from "../../contract/index.ts";
import type { EvaluationEvent, EvaluationRow } from "../../evaluate/index.ts";
import { excerpt, joinNames, oneLine } from "../../internal/index.ts";
import { duration } from "../terminal/progress-line.ts";
import { printToStderr } from "../terminal/terminal.ts";

/**
 * Says on standard error what the line of progress cannot: the first replies, as they come, and
 * rows that take far longer than others, while they still run.
 */
export interface RowWatch extends Disposable {
  readonly onEvent: (event: EvaluationEvent) => void;
  /**
   * The LM, so that it shows in which call a row is.
   *
   * @param isStreamed whether to have replies streamed, so that their tokens are counted
   */
  watched(lm: LanguageModel, isStreamed: boolean): LanguageModel;
}

/** Shown as they come. */
const firstRows = 3;
/** A row that is named took longer than `minMs`, and than so many times the usual. */
const [minMs, timesUsual] = [30_000, 4];
/** Between two looks, and between two lines. */
const [lookMs, quietMs] = [5_000, 30_000];
/** What took less came from the cache, and says nothing of the others. */
const cachedMs = 100;
/** The usual is that of so many rows, the latest. */
const window = 50;

interface RunningRow {
  readonly startMs: number;
  /** How long it had run when it was named; 0 if it was not. */
  namedMs: number;
  readonly calls: Set<RunningCall>;
}

interface RunningCall {
  readonly path: string;
  readonly startMs: number;
  /** Pieces of a streamed reply, each a token of most LMs. */
  pieces: number;
}

export function rowWatch(): RowWatch {
  const running = new Map<string, RunningRow>();
  const tookMs: number[] = [];
  const startMs = performance.now();
  let [ended, lastEndMs] = [0, startMs];
  let saidMs = Number.NEGATIVE_INFINITY;
  let [hasEnded, knowsCalls] = [false, false];

  const look = (): void => {
    const now = performance.now();
    if (now - saidMs < quietMs) return;
    const sorted = tookMs.toSorted((left, right) => left - right);
    const median = sorted[Math.floor(sorted.length / 2)];
    // Rows that wait for one another on the server take as many times longer as there are of them.
    const shared = ended === 0 ? 0 : (running.size * (lastEndMs - startMs)) / ended;
    const usualMs = median === undefined ? null : Math.max(median, shared);
    const late = [...running].filter(([, row]) => {
      const limitMs = Math.max(minMs, timesUsual * (usualMs ?? 0), 2 * row.namedMs);
      return now - row.startMs >= limitMs;
    });
    const [longest, ...others] = late.toSorted(
      ([, left], [, right]) => left.startMs - right.startMs,
    );
    if (longest === undefined) return;
    for (const [, row] of late) row.namedMs = now - row.startMs;
    saidMs = now;
    const [id, row] = longest;
    const usual =
      usualMs !== null
        ? `others took about ${duration(usualMs)}`
        : hasEnded
          ? "others came from the cache"
          : "no row has ended yet";
    printToStderr(
      [
        `Row ${oneLine(id)} has run for ${duration(row.namedMs)}, ${usual}`,
        ...(knowsCalls ? [callText(row, now)] : []),
        ...(others.length === 0
          ? []
          : [
              `also ${joinNames(
                others.map(([name]) => name),
                3,
              )}`,
            ]),
      ].join("; "),
    );
  };
  const timer = setInterval(look, lookMs);
  // A command that waits for what cannot happen must end.
  timer.unref();

  return {
    onEvent: (event) => {
      if (event.kind === "example-start") {
        const row = { startMs: performance.now(), namedMs: 0, calls: new Set<RunningCall>() };
        running.set(event.exampleId, row);
      }
      if (event.kind !== "example-retry" && event.kind !== "example-end") return;
      const row = running.get(event.exampleId);
      running.delete(event.exampleId);
      if (event.kind === "example-retry" || row === undefined) return;
      hasEnded = true;
      const now = performance.now();
      const ms = now - row.startMs;
      if (ms >= cachedMs) {
        [ended, lastEndMs] = [ended + 1, now];
        tookMs.push(ms);
        if (tookMs.length > window) tookMs.shift();
      }
      const { done, total, etaMs } = event;
      if (done > firstRows) return;
      // Until as many rows have ended as run at a time, they seem to come one by one.
      const bound = done < running.size ? "at most " : "";
      const left = etaMs === null || done === total ? "" : `; ${bound}${duration(etaMs)} left`;
      printToStderr(`${firstText(event.row)}${left}`);
    },
    watched: (lm, isStreamed) => {
      knowsCalls = true;
      return {
        identity: lm.identity,
        doGenerate: async (request, options = {}) => {
          const row = running.get(options.exampleId ?? "");
          if (row === undefined) return lm.doGenerate(request, options);
          const { callPath: path = "" } = options;
          const call: RunningCall = { path, startMs: performance.now(), pieces: 0 };
          row.calls.add(call);
          try {
            return await lm.doGenerate(request, isStreamed ? counting(options, call) : options);
          } finally {
            row.calls.delete(call);
          }
        },
      };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function counting(options: LmCallOptions, call: RunningCall): LmCallOptions {
  const { onDelta, onRestart } = options;
  return {
    ...options,
    onDelta: (delta) => {
      call.pieces++;
      onDelta?.(delta);
    },
    // Counted text can be taken back; what a listener heard, only if it says so.
    ...((onDelta === undefined || onRestart !== undefined) && {
      onRestart: () => {
        call.pieces = 0;
        onRestart?.();
      },
    }),
  };
}

/** The call that it waits for longest. */
function callText({ calls }: RunningRow, now: number): string {
  const [first] = [...calls].toSorted((left, right) => left.startMs - right.startMs);
  if (first === undefined) return "it waits for no LM";
  const { path, startMs, pieces } = first;
  const tokens = pieces === 0 ? "" : `, ${pieces.toLocaleString("en")} tokens so far`;
  return `in \`${path}\` for ${duration(now - startMs)}${tokens}`;
}

function firstText({ exampleId, latencyMs, output, failure, score }: EvaluationRow): string {
  const took = `${(latencyMs / 1000).toFixed(1)} s`;
  const said =
    output === undefined ? `${failure?.code}: ${failure?.message}` : JSON.stringify(output);
  const value = score.kind === "scored" ? score.value.toFixed(4) : score.kind;
  return `${oneLine(exampleId)}, ${took}: ${excerpt(oneLine(said), 100)}, ${value}`;
}
