import type { JSX } from "preact";
import { verdictWords } from "../../../../../../src/statistics/index.ts";
import type { Contrast, RunComparison } from "../../../../../../src/report/index.ts";
import { mainContrast } from "../../../../../../src/report/index.ts";
import { figure, intervalText, signed } from "../../data/figure.ts";
import { addressOf, membersText } from "../../data/route.ts";
import { VerdictNotes } from "../../parts/verdict-notes.tsx";
import { reachOf, Whisker } from "../../parts/whisker.tsx";

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
        the one that a search started from.
      </p>
      <div class="wide" tabIndex={0} role="region" aria-label="Paired differences">
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Against</th>
              <th scope="col">On</th>
              <th scope="col" class="number">
                Difference
              </th>
              <th scope="col">95 % interval</th>
              <th scope="col">Verdict</th>
              <th scope="col" class="number">
                Better, worse, same
              </th>
            </tr>
          </thead>
          {contrasts.map((contrast, place) => (
            <ContrastRows key={place} contrast={contrast} reach={reach} />
          ))}
        </table>
      </div>
      {contrasts.map((contrast, place) => (
        <Strata key={place} contrast={contrast} />
      ))}
    </section>
  );
}

function ContrastRows({
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
    <tbody>
      <tr>
        <th scope="row">{other.name}</th>
        <td>{baseline.name}</td>
        <td>
          {split}
          {isSelected && <span class="under">which chose it</span>}
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
    </tbody>
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
        <div
          class="wide"
          tabIndex={0}
          role="region"
          aria-label={`${other.name} against ${baseline.name} on ${split}, by stratum`}
        >
          <table>
            <thead>
              <tr>
                <th scope="col">Stratum</th>
                <th scope="col" class="number">
                  Examples
                </th>
                <th scope="col" class="number">
                  Before
                </th>
                <th scope="col" class="number">
                  After
                </th>
                <th scope="col" class="number">
                  Difference
                </th>
                <th scope="col">95 % interval</th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
