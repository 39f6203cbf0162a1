import type { JSX } from "preact";
import type { ComparedSource, SourceGroup } from "../../../../../../src/report/index.ts";
import type { ComparisonIndex } from "../../data/comparison-index.ts";
import { costText, counted, figure, intervalText } from "../../data/figure.ts";
import { addressOf } from "../../data/route.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { WideTable } from "../../parts/wide-table.tsx";

/** What was compared: each source with its best candidate, then runs over their seeds. */
export function Sources({ index }: { readonly index: ComparisonIndex }): JSX.Element {
  const { sources, groups } = index.comparison;
  return (
    <section>
      <h2>What was compared</h2>
      <WideTable
        label="What was compared"
        columns={["Source", "Made by", "Best", { number: "On val" }, { number: "On test" }, "Cost"]}
      >
        {sources.map((source) => (
          <SourceRow key={source.key} source={source} />
        ))}
      </WideTable>
      {groups.some(({ seeds }) => seeds.length > 1) && <Groups groups={groups} />}
    </section>
  );
}

function SourceRow({ source }: { readonly source: ComparedSource }): JSX.Element {
  const { key, best, candidates, subject } = source;
  const { measures: [quality] = [], seen } = (best === null ? undefined : candidates[best]) ?? {};
  const test = "test" in source ? source.test.find(({ candidate }) => candidate === best) : null;
  return (
    <tr>
      <th scope="row">
        {source.kind === "run" ? <a href={addressOf("search", { source: key })}>{key}</a> : key}
      </th>
      <td>
        {madeBy(source)}
        <span class="under">
          {[subject.program?.name, subject.lm, source.isRehearsal && "rehearsal"]
            .filter(Boolean)
            .join(", ")}
        </span>
      </td>
      <td>{best === null ? "none yet" : <CandidateLink source={key} candidate={best} />}</td>
      <td class="number">
        {source.kind === "result" && source.split !== "val" ? "–" : figure(quality?.value)}
        {quality?.interval && <span class="under">{intervalText(quality.interval)}</span>}
        {seen !== undefined && <span class="under">estimated from {counted(seen, "example")}</span>}
      </td>
      <td class="number">
        {figure(source.kind === "result" && source.split === "test" ? quality?.value : test?.value)}
        {test?.interval && <span class="under">{intervalText(test.interval)}</span>}
      </td>
      <td>{"spending" in source ? costText(source.spending) : "–"}</td>
    </tr>
  );
}

function madeBy(source: ComparedSource): string {
  switch (source.kind) {
    case "run":
      return `${source.optimizer.name}, seed ${source.seed}${source.end === undefined ? ", still running" : ""}`;
    case "result":
      return `evaluation on ${source.split}, seed ${source.seed}`;
    case "artifact":
      return [
        "artifact",
        ...source.aliases,
        ...(source.optimizer
          ? [`made by ${source.optimizer.name}, seed ${source.optimizer.seed}`]
          : []),
      ].join(", ");
  }
}

function Groups({ groups }: { readonly groups: readonly SourceGroup[] }): JSX.Element {
  const names = [...new Set(groups.flatMap(({ figures }) => figures.map((one) => one.figure)))];
  return (
    <>
      <h2>Over seeds</h2>
      <p class="hint">Means over seeds with 95 % intervals by Student’s t.</p>
      <WideTable
        label="Over seeds"
        columns={["Runs", "Seeds", ...names.map((number) => ({ number }))]}
      >
        {groups.map(({ name, seeds, figures }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{seeds.join(", ")}</td>
            {names.map((column) => {
              const found = figures.find((one) => one.figure === column);
              return (
                <td key={column} class="number">
                  {figure(found?.mean)}
                  {found?.interval && <span class="under">{intervalText(found.interval)}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </WideTable>
    </>
  );
}
