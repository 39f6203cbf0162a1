import type { JSX } from "preact";
import type { ListedRun, RunFigures, RunProgress } from "../../../../../src/report-page/index.ts";
import { counted, dollars, figure, intervalText, signed, wholeNumber } from "../data/figure.ts";
import { answeredBy } from "./answered-by.ts";
import { differenceAddress, reportAddress } from "./asked.ts";
import { ProgressBar, RunStateCell } from "./progress-bar.tsx";
import { Fallen } from "../parts/fallen.tsx";
import type { Ticks } from "./ticks.tsx";
import { Tick } from "./ticks.tsx";
import { WideTable } from "../parts/wide-table.tsx";

/** Every run, the newest first. */
export function Runs({
  runs,
  progress,
  ticks,
  productionOf,
  onStopped,
}: {
  readonly runs: readonly ListedRun[];
  readonly progress: ReadonlyMap<string, RunProgress>;
  readonly ticks: Ticks;
  /** Id of the version of a program that is in production. */
  readonly productionOf: (program: string | undefined) => string | undefined;
  readonly onStopped: () => void;
}): JSX.Element {
  return (
    <section>
      <h2>Runs</h2>
      {runs.length === 0 ? (
        <p>None yet. To start one, run: espalier optimize STUDY</p>
      ) : (
        <WideTable
          label="Runs"
          columns={["", "Run", "State", { number: "Best on val" }, "Against its seed", "Cost"]}
        >
          {runs.map((run) => (
            <RunRow
              key={run.id}
              run={run}
              progress={progress.get(run.id)}
              ticks={ticks}
              production={productionOf(run.figures?.program)}
              onStopped={onStopped}
            />
          ))}
        </WideTable>
      )}
    </section>
  );
}

function RunRow({
  run,
  progress,
  ticks,
  production,
  onStopped,
}: {
  readonly run: ListedRun;
  readonly progress: RunProgress | undefined;
  readonly ticks: Ticks;
  readonly production: string | undefined;
  readonly onStopped: () => void;
}): JSX.Element {
  const { id, state, figures, problem, hasArtifact } = run;
  const best = progress?.best ?? figures?.best?.value;
  const isSame = best === figures?.best?.value;
  return (
    <tr>
      <td>
        <Tick id={id} ticks={ticks} />
      </td>
      <th scope="row">
        <a href={reportAddress([id])}>{id === "" ? "this folder" : id}</a>
        {figures && (
          <span class="under">
            {[`${figures.optimizer}, seed ${figures.seed}`, figures.program, answeredBy(figures)]
              .filter(Boolean)
              .join(", ")}
          </span>
        )}
        {problem !== undefined && <span class="warning">{problem}</span>}
        {hasArtifact && production !== undefined && (
          <a class="under" href={differenceAddress(production, id)}>
            against production
          </a>
        )}
      </th>
      <td>
        <RunStateCell id={id} state={state} onStopped={onStopped} />
        {(state === "running" || state === "stopping") && (
          <ProgressBar
            name={id}
            pace={{
              metricCalls: progress?.metricCalls ?? figures?.spent.metricCalls ?? 0,
              cap: figures?.metricCallsCap ?? null,
              known: {
                metricCalls: figures?.spent.metricCalls ?? 0,
                elapsedMs: figures?.elapsedMs ?? null,
                costUsd: figures?.costUsd ?? null,
              },
            }}
          />
        )}
      </td>
      <td class="number">
        {figure(best)}
        {isSame && figures?.best?.interval && (
          <span class="under">{intervalText(figures.best.interval)}</span>
        )}
        {isSame && figures?.best?.seen !== undefined && (
          <span class="under">estimated from {counted(figures.best.seen, "example")}</span>
        )}
      </td>
      <td>{figures === undefined ? "…" : <ClaimText claim={figures.claim} />}</td>
      <td>
        {figures === undefined
          ? "…"
          : [
              `${wholeNumber(progress?.metricCalls ?? figures.spent.metricCalls)} metric calls`,
              `${wholeNumber(progress?.tokens ?? figures.spent.tokens)} tokens`,
              ...(figures.costUsd === null ? [] : [dollars(figures.costUsd)]),
            ].join(", ")}
      </td>
    </tr>
  );
}

function ClaimText({ claim }: { readonly claim: RunFigures["claim"] }): JSX.Element {
  if (claim === null) return <>–</>;
  if (claim === "unchanged") return <>nothing changed</>;
  const { difference, interval, split, words, metric, fell = [] } = claim;
  if (difference === 0 && interval?.low === 0 && interval.high === 0) {
    return (
      <>
        the same on every example of {split}
        <Fallen fell={fell} />
      </>
    );
  }
  return (
    <>
      <strong>{signed(difference)}</strong> {metric} on {split}: {words.verdict}
      <span class="under">
        {words.isIntervalTooNarrow ? words.reason : intervalText(interval)}
        {split === "val" && "; it was chosen on val, which flatters it"}
      </span>
      <Fallen fell={fell} />
    </>
  );
}
