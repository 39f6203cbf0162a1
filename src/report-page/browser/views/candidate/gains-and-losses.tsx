import type { JSX } from "preact";
import type { Flip } from "../../../../report/index.ts";
import type { ComparisonIndex, Member } from "../../data/comparison-index.ts";
import { figure } from "../../data/figure.ts";
import { addressOf, membersText } from "../../data/route.ts";

const shownFlips = 5;

/** What a candidate gained and lost against another one, on each split that both have. */
export function GainsAndLosses({
  index,
  baseline,
  other,
}: {
  readonly index: ComparisonIndex;
  readonly baseline: Member;
  readonly other: Member;
}): JSX.Element {
  const shared = index.sharedSplits([baseline], [other]);
  return (
    <section>
      <h2>What it gained and lost</h2>
      {shared.length === 0 && <p>No example was scored for both.</p>}
      {shared.map((split) => {
        const flips = index.flips([baseline], [other], split);
        const gained = flips.filter((flip) => flip.other > flip.baseline);
        const lost = flips.filter((flip) => flip.other < flip.baseline);
        const given = { baseline: membersText([baseline]), other: membersText([other]), split };
        return (
          <div key={split}>
            <h3>
              On {split}: {gained.length} better, {lost.length} worse.{" "}
              <a href={addressOf("flips", given)}>All flips on {split}</a>
            </h3>
            <div class="pair">
              <Some title="Gained" flips={gained} index={index} given={given} />
              <Some title="Lost" flips={lost} index={index} given={given} />
            </div>
          </div>
        );
      })}
    </section>
  );
}

function Some({
  title,
  flips,
  index,
  given,
}: {
  readonly title: string;
  readonly flips: readonly Flip[];
  readonly index: ComparisonIndex;
  readonly given: Readonly<Record<string, string>>;
}): JSX.Element | null {
  if (flips.length === 0) return null;
  return (
    <div>
      <h4>{title}</h4>
      <ul class="plain">
        {flips.slice(0, shownFlips).map(({ example, baseline, other }) => {
          const id = index.comparison.examples[example]?.id ?? "";
          return (
            <li key={example}>
              <a href={addressOf("flips", { ...given, example: id })}>{id}</a>: {figure(baseline)} →{" "}
              {figure(other)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
