import type { JSX } from "preact";
import type { ComparedRun, ComparedSpending } from "../../../../../../src/report/index.ts";
import { costText, counted, figure, wholeNumber } from "../../data/figure.ts";
import { amendAddress } from "../../data/route.ts";
import type { ViewProps } from "../../data/view-props.ts";
import { Choice } from "../../parts/choice.tsx";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { ScoreCurve } from "./score-curve.tsx";
import { LineageTree } from "./lineage-tree.tsx";
import { Quoted } from "../../parts/quoted.tsx";
import { WideTable } from "../../parts/wide-table.tsx";

/** How one run went: its tree, its scores as it spent, and what did not become a candidate. */
export function Search({ index, route }: ViewProps): JSX.Element {
  const runs = index.comparison.sources.filter((source) => source.kind === "run");
  const run = runs.find(({ key }) => key === route.given.get("source")) ?? runs[0];
  if (run === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>Search</h1>
        <p>None of the compared sources is a run’s folder, so there is no search to show.</p>
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
      <Refused run={run} />
      <RunFindings run={run} />
      <Spending spending={run.spending} />
    </>
  );
}

function endOf({ end }: ComparedRun): string {
  if (end === undefined) return "It has not ended.";
  return `It ended: ${end.reason}${end.detail === undefined ? "" : `, ${end.detail}`}.`;
}

/** Reused scores that did not hold. */
function RunFindings({ run: { disputes } }: { readonly run: ComparedRun }): JSX.Element | null {
  if (disputes.length === 0) return null;
  return (
    <section>
      <h2>Reused scores that changed</h2>
      <details>
        <summary>{counted(disputes.length, "reused score")} that a new run did not confirm</summary>
        <ul>
          {disputes.map(({ exampleId, reused, again, iteration, kind }) => (
            <li key={`${iteration} ${exampleId}`}>
              {exampleId}: {figure(reused)} reused, {figure(again)} when run again in iteration{" "}
              {iteration}
              {kind === "score-reuse-ended" && "; from then on every candidate was run in full"}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** What each role asked for, and what of it went to a server. */
function Spending({
  spending: { used, billed },
}: {
  readonly spending: ComparedSpending;
}): JSX.Element | null {
  const asked = new Map(Object.entries(used));
  const sent = new Map(Object.entries(billed));
  const roles = [...new Set([...asked.keys(), ...sent.keys()])];
  if (roles.length === 0) return null;
  const columns = ["Calls", "Prompt tokens", "Completion tokens", "Calls to a server"];
  return (
    <section>
      <h2>Cost by role</h2>
      <WideTable label="Cost by role" columns={["Role", ...columns.map((number) => ({ number }))]}>
        {roles.map((role) => {
          const usage = asked.get(role);
          return (
            <tr key={role}>
              <th scope="row">{role}</th>
              {[
                usage?.calls,
                usage?.promptTokens,
                usage?.completionTokens,
                sent.get(role)?.calls,
              ].map((value, column) => (
                <td key={columns[column]} class="number">
                  {value === undefined ? "–" : wholeNumber(value)}
                </td>
              ))}
            </tr>
          );
        })}
      </WideTable>
    </section>
  );
}

/** Refused proposals, and why. */
function Refused({ run: { refused, skipped, key } }: { readonly run: ComparedRun }): JSX.Element {
  const alike = [
    ...Map.groupBy(refused, ({ parents, components, reason, detail, texts }) =>
      JSON.stringify([parents, components, reason, detail, texts]),
    ).values(),
  ];
  return (
    <section>
      <h2>Refused proposals</h2>
      {refused.length + skipped.length === 0 && <p>Every proposal became a candidate.</p>}
      {alike.map((all) =>
        all.slice(0, 1).map(({ iteration, components, parents: [parent], ...one }) => {
          const { reason, detail, texts } = one;
          return (
            <details key={`${iteration} ${components.join(" ")}`}>
              <summary>
                Iteration {iteration}: {reason}, {components.join(", ")}
                {all.length > 1 && `, and ${all.length - 1} more like it`}
              </summary>
              <p>
                {detail}
                {parent !== undefined && (
                  <>
                    {" "}
                    (from <CandidateLink source={key} candidate={parent} />)
                  </>
                )}
              </p>
              {Object.entries(texts ?? {}).map(([component, text]) => (
                <div key={component}>
                  <h3>{component}</h3>
                  <Quoted text={text} />
                </div>
              ))}
            </details>
          );
        }),
      )}
      {skipped.length > 0 && (
        <details>
          <summary>
            {counted(skipped.length, "iteration")} without a request to the reflection LM
          </summary>
          <ul>
            {skipped.map(({ iteration, parent, reason }) => (
              <li key={iteration}>
                Iteration {iteration}, candidate {parent}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
