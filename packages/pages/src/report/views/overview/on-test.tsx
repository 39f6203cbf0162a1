import type { JSX } from "preact";
import { nothingChanged, verdictWords } from "../../../../../../src/statistics/index.ts";
import type { RunComparison, TestFigure } from "../../../../../../src/report/index.ts";
import { figure, intervalText, signed } from "../../data/figure.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { VerdictNotes } from "../../parts/verdict-notes.tsx";
import { reachOf, Whisker } from "../../parts/whisker.tsx";
import { WideTable } from "../../parts/wide-table.tsx";

/** What reports on test found, which no search saw: each metric, with the seed program. */
export function OnTest({
  comparison: { sources },
}: {
  readonly comparison: RunComparison;
}): JSX.Element | null {
  const rows = sources.flatMap((source) =>
    source.kind === "run" ? source.test.map((found) => ({ source: source.key, found })) : [],
  );
  if (rows.length === 0) return null;
  const reach = reachOf(rows.flatMap(({ found: { comparison } }) => comparison ?? []));
  return (
    <section>
      <h2>Reports on test</h2>
      <p class="hint">On examples that were held out from every decision of the search.</p>
      <WideTable
        label="Reports on test"
        columns={[
          "Candidate",
          "Metric",
          { number: "Seed" },
          { number: "Optimized" },
          "Difference, 95 % interval",
          "Verdict",
        ]}
      >
        {rows.map(({ source, found }) => (
          <tr key={`${source} ${found.candidate} ${found.metric}`}>
            <th scope="row">
              <CandidateLink source={source} candidate={found.candidate} />
            </th>
            <td>{found.metric}</td>
            <td class="number">{figure(found.seed?.value)}</td>
            <td class="number">{figure(found.value)}</td>
            <Compared comparison={found.comparison} reach={reach} />
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

function Compared({
  comparison,
  reach,
}: {
  readonly comparison: TestFigure["comparison"];
  readonly reach: number;
}): JSX.Element {
  if (!comparison) {
    return (
      <>
        <td>–</td>
        <td>
          {comparison === null
            ? `nothing changed: ${nothingChanged}`
            : "no claim: too few examples were scored"}
        </td>
      </>
    );
  }
  const { difference } = comparison;
  const words = verdictWords(comparison, "the program it started from");
  const interval = words.isIntervalTooNarrow ? null : comparison.interval;
  return (
    <>
      <td class="interval">
        {signed(difference)} <Whisker difference={difference} interval={interval} reach={reach} />{" "}
        {intervalText(interval)}
      </td>
      <td>
        {words.verdict}
        <VerdictNotes words={words} />
      </td>
    </>
  );
}
