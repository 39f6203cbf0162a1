import type { JSX } from "preact";
import type { Component } from "../../../../contract/index.ts";
import { componentId } from "../../../../internal/index.ts";
import type { Headline } from "../../../../report/index.ts";
import { counted } from "../../data/figure.ts";
import type { ComparisonIndex } from "../../data/comparison-index.ts";
import { addressOf, membersText } from "../../data/route.ts";
import { Difference } from "../../parts/difference.tsx";
import { partsOf, partText } from "../../parts/part-text.ts";

/** As many as leave room for a reader to see that there is more below. */
const mostShown = 2;

/** What the search changed in the program that it began with, before and after: texts first. */
export function Why({
  index,
  headline: { kind, winner },
}: {
  readonly index: ComparisonIndex;
  readonly headline: Headline;
}): JSX.Element | null {
  const [member, ...others] = winner.members;
  if (kind !== "seed" || member === undefined || others.length > 0) return null;
  const source = index.source(member.source);
  const seed = { ...member, candidate: 0 };
  const [before, now] = [seed, member].map((one) => partsOf(source, index.candidate(one)));
  const old = new Map(before?.map((part) => [componentId(part), part]));
  const changes = (now ?? [])
    .map((after) => ({ after, before: old.get(componentId(after)) }))
    .filter(({ after, before }) => partText(before) !== partText(after))
    .toSorted((one, other) => rank(one.after) - rank(other.after));
  if (changes.length === 0) return null;
  const address = addressOf("candidate", {
    source: member.source,
    candidate: String(member.candidate),
    against: membersText([seed]),
  });
  return (
    <section class="why" aria-label="Why">
      <h2>Why: what the search changed</h2>
      {changes.slice(0, mostShown).map(({ before, after }) => (
        <div key={componentId(after)} class="part">
          <h3>{componentId(after)}</h3>
          {after.kind === "demos" ? (
            <p>
              {counted(after.value.length, "demonstration")}, before{" "}
              {before?.kind === "demos" ? before.value.length : 0}
            </p>
          ) : (
            <Difference before={partText(before)} after={partText(after)} />
          )}
        </div>
      ))}
      <p>
        <a href={address}>
          {changes.length > mostShown ? `All ${changes.length} changes` : "The candidate"}
        </a>
      </p>
    </section>
  );
}

function rank({ kind }: Component): number {
  return kind === "demos" ? 2 : kind === "parameter" ? 1 : 0;
}
