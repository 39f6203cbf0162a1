import type { JSX } from "preact";
import type { ComparedRun } from "../../../../report/index.ts";
import { creditEstimate } from "../../../../report/index.ts";
import { counted, figure, intervalText, signed } from "../../data/figure.ts";

/** What the run found out besides candidates: credits, and scores that did not hold. */
export function RunFindings({
  run: { credits, disputes },
}: {
  readonly run: ComparedRun;
}): JSX.Element | null {
  if (credits.length + disputes.length === 0) return null;
  return (
    <section>
      <h2>What the run found besides</h2>
      {credits.length > 0 && (
        <details>
          <summary>What each demonstration of the best brings: {creditEstimate(credits)}</summary>
          <ul>
            {credits
              .toSorted((one, other) => other.gain - one.gain)
              .map(({ predictor, exampleId, runs, ...credit }) => (
                <li key={`${predictor} ${exampleId}`}>
                  {signed(credit.gain)} ({intervalText(credit)}): {exampleId} for {predictor},{" "}
                  {counted(runs, "run")}
                </li>
              ))}
          </ul>
        </details>
      )}
      {disputes.length > 0 && (
        <details>
          <summary>
            {counted(disputes.length, "inherited score")} that a new run did not confirm
          </summary>
          <ul>
            {disputes.map(({ exampleId, inherited, again, iteration, kind }) => (
              <li key={`${iteration} ${exampleId}`}>
                {exampleId}: {figure(inherited)} inherited, {figure(again)} when run again in
                iteration {iteration}
                {kind === "inheritance-ended" && "; from then on every candidate was run in full"}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
