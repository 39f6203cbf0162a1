import type { ComponentChildren, JSX } from "preact";
import type {
  ListedArtifact,
  ListedRegistry,
  ListedResult,
} from "../../../../../src/report-page/index.ts";
import { figure, intervalText } from "../data/figure.ts";
import { answeredBy } from "./answered-by.ts";
import { differenceAddress, reportAddress } from "./asked.ts";
import type { Ticks } from "./ticks.tsx";
import { Tick } from "./ticks.tsx";
import { WideTable } from "../parts/wide-table.tsx";

/** The registries: what of each program is in production, and how it came there. */
export function Registries({
  registries,
  ticks,
}: {
  readonly registries: readonly ListedRegistry[];
  readonly ticks: Ticks;
}): JSX.Element | null {
  if (registries.length === 0) return null;
  return (
    <section>
      <h2>Registries</h2>
      {registries.flatMap(({ id: registry, programs }) =>
        programs.map(({ name, versions, moves }) => {
          const production = versions.find(({ aliases }) => aliases.includes("production"));
          return (
            <div key={`${registry} ${name}`}>
              <h3>
                {name} in {registry === "" ? "this folder" : registry}
              </h3>
              <ArtifactTable
                label={`Versions of ${name} in ${registry}`}
                artifacts={versions}
                ticks={ticks}
                nameOf={({ version, aliases }) => (
                  <>
                    {version}
                    {aliases.map((alias) => (
                      <>
                        {" "}
                        <strong class="alias">{alias}</strong>
                      </>
                    ))}
                  </>
                )}
                production={production?.id}
              />
              {moves.length > 0 && (
                <details>
                  <summary>Alias history</summary>
                  <ol>
                    {moves.map(({ alias, kind, from, to, at, by, why }, position) => (
                      <li key={position}>
                        {at.slice(0, 16).replace("T", " ")}: {kind} of {alias}, from{" "}
                        {from ?? "nothing"} to {to ?? "nothing"}
                        {by !== undefined && `, by ${by}`}
                        {why !== undefined && `: ${why}`}
                      </li>
                    ))}
                  </ol>
                </details>
              )}
            </div>
          );
        }),
      )}
    </section>
  );
}

/** Artifacts that are in no registry and in no run's folder. */
export function Artifacts({
  artifacts,
  ticks,
  productionOf,
}: {
  readonly artifacts: readonly ListedArtifact[];
  readonly ticks: Ticks;
  readonly productionOf: (program: string | undefined) => string | undefined;
}): JSX.Element | null {
  if (artifacts.length === 0) return null;
  return (
    <section>
      <h2>Artifacts</h2>
      <ArtifactTable
        label="Artifacts"
        artifacts={artifacts}
        ticks={ticks}
        nameOf={({ id }) => id}
        productionOf={productionOf}
      />
    </section>
  );
}

function ArtifactTable<TArtifact extends ListedArtifact>({
  label,
  artifacts,
  ticks,
  nameOf,
  production,
  productionOf = () => production,
}: {
  readonly label: string;
  readonly artifacts: readonly TArtifact[];
  readonly ticks: Ticks;
  readonly nameOf: (artifact: TArtifact) => ComponentChildren;
  readonly production?: string | undefined;
  readonly productionOf?: (program: string | undefined) => string | undefined;
}): JSX.Element {
  return (
    <WideTable label={label} columns={["", "Artifact", "Made by", "Scores"]}>
      {artifacts.map((artifact) => {
        const { id, figures, problem } = artifact;
        const against = productionOf(figures?.program);
        return (
          <tr key={id}>
            <td>
              <Tick id={id} ticks={ticks} />
            </td>
            <th scope="row">
              <a href={reportAddress([id])}>{nameOf(artifact)}</a>
              <span class="under">
                {figures?.program}, {artifact.changedAt.slice(0, 16).replace("T", " ")}
              </span>
              {problem !== undefined && <span class="warning">{problem}</span>}
              {figures && against !== undefined && against !== id && (
                <a class="under" href={differenceAddress(against, id)}>
                  against production
                </a>
              )}
            </th>
            <td>
              {figures?.madeBy ?? "no optimizer"}
              <span class="under">{figures && answeredBy(figures)}</span>
            </td>
            <td>
              {figures?.scores.map(({ split, metric, value, interval }) => (
                <div key={`${split} ${metric}`}>
                  {figure(value)} {metric} on {split}
                  <span class="under">{intervalText(interval)}</span>
                </div>
              ))}
            </td>
          </tr>
        );
      })}
    </WideTable>
  );
}

/** Results of `espalier eval --out`. */
export function Results({
  results,
  ticks,
}: {
  readonly results: readonly ListedResult[];
  readonly ticks: Ticks;
}): JSX.Element | null {
  if (results.length === 0) return null;
  return (
    <section>
      <h2>Results</h2>
      <WideTable label="Results" columns={["", "Result", "Of", { number: "Score" }]}>
        {results.map(({ id, figures, problem }) => (
          <tr key={id}>
            <td>
              <Tick id={id} ticks={ticks} />
            </td>
            <th scope="row">
              <a href={reportAddress([id])}>{id}</a>
              {problem !== undefined && <span class="warning">{problem}</span>}
            </th>
            <td>
              {figures === undefined ? "…" : `${figures.study} on ${figures.split}`}
              <span class="under">{figures && answeredBy(figures)}</span>
            </td>
            <td class="number">
              {figure(figures?.value)} {figures?.metric}
              <span class="under">{intervalText(figures?.interval ?? null)}</span>
            </td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}
