import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ComparedCandidate } from "../../../../../../src/report/index.ts";
import { figure, intervalText } from "../../data/figure.ts";
import { axesOf } from "../../data/front.ts";
import { amendAddress } from "../../data/route.ts";
import type { ViewProps } from "../../data/view-props.ts";
import { Choice } from "../../parts/choice.tsx";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { Rows } from "../../parts/rows.tsx";

interface Row {
  readonly source: string;
  readonly candidate: ComparedCandidate;
  readonly isBest: boolean;
}

/** Every candidate with its measures, best first by the measure of choice. */
export function Candidates({ index, route }: ViewProps): JSX.Element {
  const { sources } = index.comparison;
  const rows = useMemo(
    () =>
      sources.flatMap(({ key, candidates, best }) =>
        candidates.map((candidate): Row => ({
          source: key,
          candidate,
          isBest: candidate.id === best,
        })),
      ),
    [sources],
  );
  const axes = axesOf(rows.map(({ candidate }) => candidate));
  const by = axes.find(({ name }) => name === route.given.get("by")) ?? axes[0];
  const from = route.given.get("source") ?? "";
  const shown = useMemo(() => {
    const of = (row: Row): number => {
      const value = measure(row, by?.name)?.value;
      return value === undefined ? -Infinity : by?.better === "lower" ? -value : value;
    };
    return rows
      .filter(({ source }) => from === "" || source === from)
      .toSorted((left, right) => of(right) - of(left) || 0);
  }, [rows, by?.name, by?.better, from]);
  const costs = axes.filter(({ name }) => name !== "quality").slice(0, 3);
  return (
    <>
      <h1 tabIndex={-1}>Candidates</h1>
      <div class="controls">
        <Choice
          label="From"
          value={from}
          options={[
            { value: "", text: "all" },
            ...sources.map(({ key }) => ({ value: key, text: key })),
          ]}
          choose={(source) => amendAddress(route, { source })}
        />
        <Choice
          label="Best first by"
          value={by?.name ?? ""}
          options={axes.map(({ name }) => ({ value: name, text: name }))}
          choose={(name) => amendAddress(route, { by: name })}
        />
      </div>
      <Rows
        label="Candidates"
        items={shown}
        columns={[
          {
            head: "Candidate",
            width: "minmax(11rem, 2fr)",
            cell: ({ source, candidate, isBest }) => (
              <CandidateLink source={source} candidate={candidate.id} isBest={isBest} />
            ),
          },
          {
            head: "Quality",
            width: "4.5rem",
            isNumber: true,
            cell: (row) => figure(measure(row, "quality")?.value),
          },
          {
            head: "95 %",
            width: "8.5rem",
            isExtra: true,
            cell: (row) => intervalText(measure(row, "quality")?.interval ?? null),
          },
          ...costs.map(({ name }) => ({
            head: name,
            width: "minmax(5rem, 1fr)",
            isNumber: true,
            isExtra: true,
            cell: (row: Row) => figure(measure(row, name)?.value),
          })),
          {
            head: "Changed",
            width: "minmax(7rem, 3fr)",
            isExtra: true,
            cell: ({ candidate }) =>
              candidate.changed.length === 0 ? "nothing: the seed" : candidate.changed.join(", "),
          },
        ]}
      />
    </>
  );
}

function measure({ candidate }: Row, name: string | undefined) {
  return candidate.measures.find((one) => one.name === name);
}
