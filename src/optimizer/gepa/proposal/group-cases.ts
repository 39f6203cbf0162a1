import type { ShownMode } from "../failure-mode/shown-modes.ts";
import type { ReflectiveCase } from "../lesson/reflective-cases.ts";
import { asText } from "../text/as-text.ts";
import { cutToBytes } from "../text/cut-to-bytes.ts";
import { fairShares } from "../text/fair-shares.ts";

export interface CaseGroup {
  /** Empty where cases are in no group. */
  readonly heading: string;
  readonly cases: readonly ReflectiveCase[];
}

/** Share of the whole room that headings may take. */
const mostOfRoom = 1 / 4;

const introOfModes =
  "The step falls short in these ways, the one to deal with first on top. For each, the number of known failures is given, and a few of them are shown. Write an instruction that prevents them all if it can, and the first in any case.";

/**
 * Cases under the failure mode that each belongs to, and then those of none; all in one group
 * without modes.
 *
 * @param room in bytes of UTF-8, for everything
 */
export function groupCases(
  cases: readonly ReflectiveCase[],
  modes: readonly ShownMode[],
  room: number,
): { readonly intro: string; readonly groups: readonly CaseGroup[] } {
  if (modes.length === 0) return { intro: "", groups: [{ heading: "", cases }] };
  const names = modes.map(({ name, description, failures, ofFailures }) => {
    const title = `# Failure mode: ${asText(name)} (${failures} of ${ofFailures} failures)`;
    return `${title}\n\n${asText(description)}`;
  });
  const shares = fairShares(
    names.map((name) => ({ need: Buffer.byteLength(name) })),
    room * mostOfRoom - Buffer.byteLength(introOfModes),
  );
  const groups = modes.map(({ exampleIds }, place) => ({
    heading: cutToBytes(names[place] ?? "", shares[place] ?? 0),
    cases: cases.filter(({ exampleId }) => exampleIds.includes(exampleId)),
  }));
  const grouped = new Set(groups.flatMap((group) => group.cases));
  const others = cases.filter((one) => !grouped.has(one));
  return {
    intro: introOfModes,
    groups:
      others.length === 0
        ? groups
        : [...groups, { heading: "# Of no failure mode", cases: others }],
  };
}
