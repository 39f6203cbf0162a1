import type { JSX } from "preact";
import type { SplitName } from "../../../../contract/index.ts";
import type { ComparisonIndex, Member } from "../../data/comparison-index.ts";
import { figure } from "../../data/figure.ts";
import { addressOf } from "../../data/route.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { QuotedJson } from "../../parts/quoted.tsx";
import { Rollout } from "../evidence/rollout.tsx";

/** One example: input and labels, then what each side did with it, side by side. */
export function BothSides({
  index,
  place,
  baseline,
  other,
  split,
}: {
  readonly index: ComparisonIndex;
  readonly place: number;
  readonly baseline: readonly Member[];
  readonly other: readonly Member[];
  readonly split: SplitName;
}): JSX.Element {
  const example = index.comparison.examples[place];
  if (example === undefined) return <></>;
  return (
    <article class="example">
      <h2>{example.id}</h2>
      {example.input === undefined ? (
        <p class="hint">Its input and labels are not in this report: the study was not given.</p>
      ) : (
        <div class="pair">
          <section>
            <h3>Input</h3>
            <QuotedJson value={example.input} />
          </section>
          <section>
            <h3>Labels</h3>
            <QuotedJson value={example.labels ?? "none"} />
          </section>
        </div>
      )}
      <div class="pair">
        <SideRuns title="Before" members={baseline} {...{ index, place, split }} />
        <SideRuns title="After" members={other} {...{ index, place, split }} />
      </div>
    </article>
  );
}

function SideRuns({
  title,
  members,
  index,
  place,
  split,
}: {
  readonly title: string;
  readonly members: readonly Member[];
  readonly index: ComparisonIndex;
  readonly place: number;
  readonly split: SplitName;
}): JSX.Element {
  return (
    <section aria-label={title}>
      <h3>
        {title}: {figure(index.score(members, split, place))}
      </h3>
      {members.map((member) => (
        <div key={`${member.source} ${member.candidate}`}>
          <p>
            <CandidateLink {...member} />
            {": "}
            {figure(index.score([member], split, place))}.{" "}
            <a
              href={addressOf("prompts", {
                source: member.source,
                candidate: String(member.candidate),
                example: index.comparison.examples[place]?.id,
              })}
            >
              Prompts
            </a>
          </p>
          <Rollout index={index} member={member} place={place} />
        </div>
      ))}
    </section>
  );
}
