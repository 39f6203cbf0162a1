import type { JSX } from "preact";
import { verdictWords } from "../../../../../../src/statistics/index.ts";
import type { Contrast, RunComparison } from "../../../../../../src/report/index.ts";
import { mainContrast } from "../../../../../../src/report/index.ts";
import { figure, intervalText, signed } from "../../data/figure.ts";
import { addressOf, membersText } from "../../data/route.ts";
import { VerdictNotes } from "../../parts/verdict-notes.tsx";
import { reachOf, Whisker } from "../../parts/whisker.tsx";
import { WideTable } from "../../parts/wide-table.tsx";

/** Every paired difference, with its strata unfolded on demand. */
export function Contrasts({
  comparison,
}: {
  readonly comparison: RunComparison;
}): JSX.Element | null {
  const main = mainContrast(comparison);
  if (main === undefined) return null;
  const contrasts = [main, ...comparison.contrasts.filter((one) => one !== main)];
  const reach = reachOf(contrasts);
  return (
    <section>
      <h2>Paired differences</h2>
      <p class="hint">
        The best of each side against the other, on the examples that both scored. A seed program is
        the program that a search started from.
      </p>
      <WideTable
        label="Paired differences"
        columns={[
          "What",
          "Against",
          "On",
          { number: "Difference" },
          "95 % interval",
          "Verdict",
          { number: "Better, worse, same" },
        ]}
      >
        {contrasts.map((contrast, position) => (
          <ContrastRow key={position} contrast={contrast} reach={reach} />
        ))}
      </WideTable>
      {contrasts.map((contrast, position) => (
        <Strata key={position} contrast={contrast} />
      ))}
    </section>
  );
}

function ContrastRow({
  contrast,
  reach,
}: {
  readonly contrast: Contrast;
  readonly reach: number;
}): JSX.Element {
  const { baseline, other, split, difference, isSelected } = contrast;
  const words = verdictWords(contrast, baseline.name);
  const interval = words.isIntervalTooNarrow ? null : contrast.interval;
  return (
    <tr>
      <th scope="row">{other.name}</th>
      <td>{baseline.name}</td>
      <td>
        {split}
        {isSelected && <span class="under">used to choose it</span>}
      </td>
      <td class="number">{signed(difference)}</td>
      <td class="interval">
        <Whisker difference={difference} interval={interval} reach={reach} />{" "}
        {intervalText(interval)}
      </td>
      <td>
        {words.verdict}
        <VerdictNotes words={words} />
      </td>
      <td class="number">
        <a
          href={addressOf("flips", {
            baseline: membersText(baseline.members),
            other: membersText(other.members),
            split,
          })}
        >
          {contrast.better}, {contrast.worse}, {contrast.equal}
        </a>
      </td>
    </tr>
  );
}

function Strata({ contrast }: { readonly contrast: Contrast }): JSX.Element | null {
  const { strata, baseline, other, split, overSeeds } = contrast;
  if (strata.length === 0 && overSeeds === undefined) return null;
  const reach = reachOf(strata);
  return (
    <details>
      <summary>
        {other.name} against {baseline.name} on {split}, broken down
      </summary>
      {overSeeds !== undefined && (
        <p>
          Over seeds: {signed(overSeeds.mean)} ({intervalText(overSeeds.interval)}), seed by seed{" "}
          {overSeeds.values.map(signed).join(", ")}
        </p>
      )}
      {strata.length > 0 && (
        <WideTable
          label={`${other.name} against ${baseline.name} on ${split}, by stratum`}
          columns={[
            "Stratum",
            { number: "Examples" },
            { number: "Before" },
            { number: "After" },
            { number: "Difference" },
            "95 % interval",
          ]}
        >
          {strata.map((stratum) => (
            <tr key={`${stratum.label}=${stratum.group}`}>
              <th scope="row">
                <a
                  href={addressOf("flips", {
                    baseline: membersText(baseline.members),
                    other: membersText(other.members),
                    split,
                    label: stratum.label,
                    group: stratum.group,
                  })}
                >
                  {stratum.label}: {stratum.group}
                </a>
              </th>
              <td class="number">{stratum.examples}</td>
              <td class="number">{figure(stratum.baseline)}</td>
              <td class="number">{figure(stratum.other)}</td>
              <td class="number">{signed(stratum.difference)}</td>
              <td class="interval">
                <Whisker
                  difference={stratum.difference}
                  interval={stratum.interval}
                  reach={reach}
                />{" "}
                {intervalText(stratum.interval)}
              </td>
            </tr>
          ))}
        </WideTable>
      )}
    </details>
  );
}
