import type { JSX } from "preact";
import type { ComparedRun } from "../../../../report/index.ts";
import { costText, counted } from "../../data/figure.ts";
import { amendAddress } from "../../data/route.ts";
import type { ViewProps } from "../../data/view-props.ts";
import { Choice } from "../../parts/choice.tsx";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { ScoreCurve } from "./score-curve.tsx";
import { LineageTree } from "./lineage-tree.tsx";
import { Refused } from "./refused.tsx";
import { RunFindings } from "./run-findings.tsx";
import { Spending } from "./spending.tsx";

/** How one run went: its tree, its scores as it spent, and what did not become a candidate. */
export function Search({ index, route }: ViewProps): JSX.Element {
  const runs = index.comparison.sources.filter((source) => source.kind === "run");
  const run = runs.find(({ key }) => key === route.given.get("source")) ?? runs[0];
  if (run === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>Search</h1>
        <p>None of what was compared is a run’s folder, so there is no search to show.</p>
      </>
    );
  }
  return (
    <>
      <h1 tabIndex={-1}>Search of {run.key}</h1>
      {runs.length > 1 && (
        <div class="controls">
          <Choice
            label="Run"
            value={run.key}
            options={runs.map(({ key }) => ({ value: key, text: key }))}
            choose={(source) => amendAddress(route, { source })}
          />
        </div>
      )}
      <p>
        {run.optimizer.name}, seed {run.seed}, {counted(run.iterations, "iteration")},{" "}
        {counted(run.candidates.length, "candidate")}. {costText(run.spending)}. {endOf(run)}
        {run.best !== null && (
          <>
            {" "}
            Best: <CandidateLink source={run.key} candidate={run.best} />.
          </>
        )}
      </p>
      {run.searches.map(({ name, why }) => (
        <p key={name} class="hint">
          {name} was chosen because {why}.
        </p>
      ))}
      <h2>Lineage</h2>
      <LineageTree run={run} />
      <h2>Score by metric calls</h2>
      <ScoreCurve run={run} />
      <Refused run={run} index={index} />
      <RunFindings run={run} />
      <Spending spending={run.spending} />
    </>
  );
}

function endOf({ end }: ComparedRun): string {
  if (end === undefined) return "It has not ended.";
  return `It ended: ${end.reason}${end.detail === undefined ? "" : `, ${end.detail}`}.`;
}
