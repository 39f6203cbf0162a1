import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ComparedRun } from "../../../../src/report/index.ts";
import type { RunProgress, StudioComparison } from "../../../../src/report-page/index.ts";
import { App } from "./app.tsx";
import type { OneRollout, RolloutService } from "./data/comparison-index.ts";
import { comparisonIndex } from "./data/comparison-index.ts";
import { addressOf } from "./data/route.ts";
import { ProgressBar, RunStateCell } from "./studio/progress-bar.tsx";
import { posted } from "./studio/asked.ts";
import { useAnswer } from "./studio/use-answer.ts";
import { useLive } from "./studio/use-live.ts";

/** The views of a report over sources of the studio; they follow what runs among them do. */
export function StudioReport({ given }: { readonly given: URLSearchParams }): JSX.Element {
  const ids = given.getAll("source");
  const query = new URLSearchParams(ids.map((id) => ["source", id])).toString();
  const { answer, problem, again } = useAnswer<StudioComparison>(
    `/api/comparison?${query}`,
    ({ againMs }) => againMs,
  );
  const progress = useLive((event) => {
    const concerns =
      event.kind === "progress" ? ids.includes(event.run) : !event.isFirst || hasOpen(answer);
    if (concerns) again();
  });
  const known = useRef<RolloutsKnown>(new Map());
  const index = useMemo(
    () => answer && comparisonIndex(answer.comparison, rolloutService(answer, known.current)),
    [answer],
  );
  const isDifference = given.get("show") === "difference";
  useEffect(() => {
    if (answer !== undefined && isDifference && location.hash === "") {
      location.replace(differenceIn(answer));
    }
  }, [answer, isDifference]);
  if (answer === undefined || index === undefined) {
    return (
      <main>
        <h1 tabIndex={-1}>Comparison of runs</h1>
        {problem === undefined ? <p>Loading …</p> : <p role="alert">{problem}</p>}
        <p>
          <a href="/">Back to the studio</a>
        </p>
      </main>
    );
  }
  return (
    <App
      index={index}
      banner={
        <div class="studio">
          <a href="/">Studio</a>
          {problem !== undefined && (
            <p class="warning" role="alert">
              {problem}
            </p>
          )}
          <LiveRuns answer={answer} progress={progress} onStopped={again} />
        </div>
      }
    />
  );
}

/** Whether a run among the sources may have gone on since. */
function hasOpen(answer: StudioComparison | undefined): boolean {
  return Object.values(answer?.sources ?? {}).some(
    ({ state }) => state === "running" || state === "stopping",
  );
}

/** The runs among the sources that have not come to their end. */
function LiveRuns({
  answer: { comparison, sources },
  progress,
  onStopped,
}: {
  readonly answer: StudioComparison;
  readonly progress: ReadonlyMap<string, RunProgress>;
  readonly onStopped: () => void;
}): JSX.Element {
  const open = comparison.sources.filter(
    (source): source is ComparedRun =>
      source.kind === "run" && ![undefined, "ended"].includes(sources[source.key]?.state),
  );
  return (
    <>
      {open.map(({ key, budget, spending }) => {
        const { id = "", state = "ended" } = sources[key] ?? {};
        const cap = budget["metricCalls"];
        const isGoingOn = state === "running" || state === "stopping";
        return (
          <p key={key} class="live" role="status">
            {key}: <RunStateCell id={id} state={state} onStopped={onStopped} />
            {isGoingOn && (
              <ProgressBar
                name={id}
                pace={{
                  metricCalls: progress.get(id)?.metricCalls ?? spending.spent?.metricCalls ?? 0,
                  cap: typeof cap === "number" ? cap : null,
                  known: {
                    metricCalls: spending.spent?.metricCalls ?? 0,
                    elapsedMs: spending.elapsedMs,
                    costUsd: spending.costUsd,
                  },
                }}
              />
            )}
          </p>
        );
      })}
    </>
  );
}

/** The best of the last source against that of the first. */
function differenceIn({ comparison: { sources } }: StudioComparison): string {
  const [before, after] = [sources[0], sources.at(-1)];
  return addressOf("candidate", {
    source: after?.key,
    candidate: String(after?.best ?? 0),
    against: `${before?.key}:${before?.best ?? 0}`,
  });
}

/** What was asked for before: a candidate does not change, and neither does what it did. */
type RolloutsKnown = Map<string, Promise<OneRollout>>;

/** Has single runs from the studio's server, each once. */
function rolloutService(
  { sources }: Pick<StudioComparison, "sources">,
  known: RolloutsKnown,
): RolloutService {
  return {
    has: (source) => sources[source]?.hasRollouts === true,
    get: ({ source, candidate }, { id: example, split = "val" }) => {
      const given = { source: sources[source]?.id, candidate, split, example };
      const name = JSON.stringify(given);
      const held = known.get(name);
      if (held !== undefined) return held;
      const asked = posted<OneRollout>("/api/rollout", given);
      known.set(name, asked);
      // What failed may succeed when it is asked for again.
      asked.catch(() => known.delete(name));
      return asked;
    },
  };
}
