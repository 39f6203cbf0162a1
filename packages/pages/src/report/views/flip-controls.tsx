import type { JSX } from "preact";
import type { Side } from "../../../../../src/report/index.ts";
import type { SplitName } from "../../../../../src/contract/index.ts";
import type { ComparisonIndex, Member } from "../data/comparison-index.ts";
import type { Route } from "../data/route.ts";
import { amendAddress, membersText } from "../data/route.ts";
import type { Option } from "../parts/choice.tsx";
import { Choice } from "../parts/choice.tsx";

/** Which sides, which split, which stratum, which direction, and a search. */
export function FlipControls({
  index,
  route,
  split,
  sides: { baseline, other },
}: {
  readonly index: ComparisonIndex;
  readonly route: Route;
  readonly split: SplitName;
  readonly sides: Readonly<Record<"baseline" | "other", readonly Member[]>>;
}): JSX.Element {
  const { strata } = index.comparison;
  const label = strata.find((one) => one.label === route.given.get("label"));
  const sides = sideOptions(index, [baseline, other]);
  const amend = (changed: Readonly<Record<string, string>>): void => {
    const held = { baseline: membersText(baseline), other: membersText(other) };
    amendAddress(route, { ...held, ...changed });
  };
  return (
    <div class="controls">
      <Choice
        label="Before"
        value={membersText(baseline)}
        options={sides}
        choose={(value) => amend({ baseline: value })}
      />
      <Choice
        label="After"
        value={membersText(other)}
        options={sides}
        choose={(value) => amend({ other: value })}
      />
      <Choice
        label="On"
        value={split}
        options={[...new Set([...index.sharedSplits(baseline, other), split])].map((value) => ({
          value,
          text: value,
        }))}
        choose={(value) => amend({ split: value })}
      />
      <Choice
        label="Change"
        value={route.given.get("change") ?? ""}
        options={[
          { value: "", text: "better or worse" },
          { value: "better", text: "better" },
          { value: "worse", text: "worse" },
        ]}
        choose={(change) => amend({ change })}
      />
      {strata.length > 0 && (
        <Choice
          label="Label"
          value={label?.label ?? ""}
          options={[
            { value: "", text: "any" },
            ...strata.map((one) => ({ value: one.label, text: one.label })),
          ]}
          choose={(name) => amend({ label: name, group: "" })}
        />
      )}
      {label !== undefined && (
        <Choice
          label={label.label}
          value={route.given.get("group") ?? ""}
          options={[
            { value: "", text: "any" },
            ...label.groups.map((group) => ({ value: group, text: group })),
          ]}
          choose={(group) => amend({ group })}
        />
      )}
      <label class="choice">
        <span>Search</span>
        <input
          type="search"
          value={route.given.get("search") ?? ""}
          onInput={({ currentTarget }) => amend({ search: currentTarget.value })}
        />
      </label>
    </div>
  );
}

/** The sides of the headline and of the contrasts, then every candidate. */
function sideOptions(
  { comparison }: ComparisonIndex,
  shown: readonly (readonly Member[])[],
): readonly Option[] {
  const { contrasts, headline, sources } = comparison;
  const sides: readonly Side[] = [
    ...(headline === null ? [] : [headline.baseline, headline.winner]),
    ...contrasts.flatMap(({ kind, baseline, other }) => [
      kind === "seed" ? { ...baseline, name: `${baseline.name} (of ${other.name})` } : baseline,
      other,
    ]),
    ...sources.flatMap(({ key, candidates, best }) =>
      candidates.map(({ id }) => ({
        name: `${key}, candidate ${id}${id === best ? " (best)" : id === 0 ? " (seed)" : ""}`,
        members: [{ source: key, candidate: id }],
      })),
    ),
    ...shown.map((members) => ({
      name: members
        .map(({ source, candidate }) => `${source}, candidate ${candidate}`)
        .join(" and "),
      members,
    })),
  ];
  const options = new Map<string, Option>();
  for (const { name, members } of sides) {
    const value = membersText(members);
    if (!options.has(value)) options.set(value, { value, text: name });
  }
  return [...options.values()];
}
