import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Flip } from "../../../../../src/report/index.ts";
import type { ComparisonIndex, Member } from "../data/comparison-index.ts";
import { splits } from "../data/comparison-index.ts";
import { figure, signed } from "../data/figure.ts";
import type { Route } from "../data/route.ts";
import { addressOf, membersOf, membersText } from "../data/route.ts";
import type { ViewProps } from "../data/view-props.ts";
import { Rows } from "../parts/rows.tsx";
import type { SplitName } from "../../../../../src/contract/index.ts";
import { CandidateLink } from "../parts/candidate-link.tsx";
import { QuotedJson } from "../parts/quoted.tsx";
import { Rollout } from "./evidence/rollout.tsx";
import { FlipControls } from "./flip-controls.tsx";

/** Which examples two sides scored differently, filtered, and both runs of the chosen one. */
export function Flips({ index, route }: ViewProps): JSX.Element {
  const { given } = route;
  const [baseline, other] = sidesOf(index, route);
  const shared = index.sharedSplits(baseline, other);
  const split = splits.find((name) => name === given.get("split")) ?? shared[0] ?? "val";
  const pair = `${membersText(baseline)} ${membersText(other)}`;
  const flips = useMemo(() => index.flips(baseline, other, split), [index, pair, split]);
  const [label, group] = [given.get("label") ?? "", given.get("group") ?? ""];
  const [search, change] = [given.get("search") ?? "", given.get("change") ?? ""];
  const shown = useMemo(() => {
    const isInGroup = groupTest(index, label, group);
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return flips.filter(
      (flip) =>
        isInGroup(flip.example) &&
        (change === "" || flip.other > flip.baseline === (change === "better")) &&
        words.every((word) => index.searchText(flip.example).includes(word)),
    );
  }, [index, flips, label, group, search, change]);
  const position = index.placeOf(given.get("example") ?? "");
  const current = shown.find((flip) => flip.example === position);
  return (
    <>
      <h1 tabIndex={-1}>Flips</h1>
      <FlipControls index={index} route={route} split={split} sides={{ baseline, other }} />
      <p aria-live="polite">
        {tally(shown)} on {split}
        {shown.length < flips.length && `, of ${flips.length} in all`}.
        {shared.length === 0 && " No example was scored for both sides."}
      </p>
      <Rows
        label="Flips"
        items={shown}
        current={current}
        columns={[
          {
            head: "Example",
            width: "minmax(5rem, 2fr)",
            cell: ({ example }) => {
              const id = index.comparison.examples[example]?.id ?? "";
              const all = { ...Object.fromEntries(given), example: id };
              return <a href={addressOf("flips", all)}>{id}</a>;
            },
          },
          {
            head: "Before",
            width: "3.5rem",
            isNumber: true,
            cell: (flip) => figure(flip.baseline),
          },
          {
            head: "After",
            width: "3.5rem",
            isNumber: true,
            cell: (flip) => figure(flip.other),
          },
          {
            head: "Change",
            width: "5rem",
            isNumber: true,
            cell: (flip) => (
              <span class={flip.other > flip.baseline ? "gain" : "loss"}>
                {signed(flip.other - flip.baseline)}
              </span>
            ),
          },
          {
            head: "Input",
            width: "minmax(8rem, 4fr)",
            isExtra: true,
            cell: ({ example }) => opening(index, example),
          },
        ]}
      />
      {position === undefined ? (
        <p class="hint">Choose an example to read its two runs side by side.</p>
      ) : (
        <BothSides
          index={index}
          position={position}
          baseline={baseline}
          other={other}
          split={split}
        />
      )}
    </>
  );
}

/** The sides of the address; without one those of the headline, else a source's seed and best. */
function sidesOf(
  { comparison }: ComparisonIndex,
  { given }: Route,
): readonly [readonly Member[], readonly Member[]] {
  const [baseline, other] = [membersOf(given.get("baseline")), membersOf(given.get("other"))];
  if (baseline.length > 0 && other.length > 0) return [baseline, other];
  const { headline, sources } = comparison;
  const [first] = sources;
  if (headline !== null) return [headline.baseline.members, headline.winner.members];
  if (first === undefined) return [[], []];
  return [
    [{ source: first.key, candidate: 0 }],
    [{ source: first.key, candidate: first.best ?? 0 }],
  ];
}

function groupTest(
  { comparison }: ComparisonIndex,
  label: string,
  group: string,
): (position: number) => boolean {
  const strata = comparison.strata.find((one) => one.label === label);
  const wanted = strata?.groups.indexOf(group) ?? -1;
  if (strata === undefined || wanted === -1) return () => true;
  return (position) => {
    const of = strata.of[position] ?? null;
    return typeof of === "number" ? of === wanted : of?.includes(wanted) === true;
  };
}

function tally(flips: readonly Flip[]): string {
  const better = flips.filter((flip) => flip.other > flip.baseline).length;
  return `${better} better, ${flips.length - better} worse`;
}

/** The start of an example's input, on one line. */
function opening({ comparison }: ComparisonIndex, position: number): string {
  const values = Object.values(comparison.examples[position]?.input ?? {});
  const texts = values.map((value) =>
    (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 200),
  );
  return texts.join(" · ").slice(0, 200).replaceAll(/\s+/g, " ");
}

/** One example: input and labels, then what each side did with it, side by side. */
function BothSides({
  index,
  position,
  baseline,
  other,
  split,
}: {
  readonly index: ComparisonIndex;
  readonly position: number;
  readonly baseline: readonly Member[];
  readonly other: readonly Member[];
  readonly split: SplitName;
}): JSX.Element {
  const example = index.comparison.examples[position];
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
        <SideRuns title="Before" members={baseline} {...{ index, position, split }} />
        <SideRuns title="After" members={other} {...{ index, position, split }} />
      </div>
    </article>
  );
}

function SideRuns({
  title,
  members,
  index,
  position,
  split,
}: {
  readonly title: string;
  readonly members: readonly Member[];
  readonly index: ComparisonIndex;
  readonly position: number;
  readonly split: SplitName;
}): JSX.Element {
  return (
    <section aria-label={title}>
      <h3>
        {title}: {figure(index.score(members, split, position))}
      </h3>
      {members.map((member) => (
        <div key={`${member.source} ${member.candidate}`}>
          <p>
            <CandidateLink {...member} />
            {": "}
            {figure(index.score([member], split, position))}.{" "}
            <a
              href={addressOf("prompts", {
                source: member.source,
                candidate: String(member.candidate),
                example: index.comparison.examples[position]?.id,
              })}
            >
              Prompts
            </a>
          </p>
          <Rollout index={index} member={member} position={position} />
        </div>
      ))}
    </section>
  );
}
