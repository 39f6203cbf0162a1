import { EspalierError } from "../../errors/index.ts";
import { candidateMeasures } from "./candidate-measures.ts";
import type { CandidateRecord } from "./candidate-record.ts";

/** Criteria for choosing a candidate of a run; measures have the names of `candidateMeasures`. */
export interface CandidateChoice {
  /** Lower bounds, inclusive: `{ quality: 0.6 }`. */
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Upper bounds, inclusive: `{ promptTokens: 900 }`. */
  readonly atMost?: Readonly<Record<string, number>>;
  /** The measure to minimize. */
  readonly least?: string;
  /** The measure to maximize. @default "quality", unless `least` is given */
  readonly most?: string;
}

/**
 * Returns the candidate that satisfies the bounds and is best in the chosen measure; ties go to the
 * higher quality, then to fewer prompt tokens, then to the earlier candidate. All figures are
 * measured on val.
 *
 * Throws `option-invalid` for a measure that the run does not have, for bounds that are not
 * numbers, and when both `least` and `most` are given; throws `choice-unmet` when no candidate
 * satisfies the bounds.
 *
 * @example
 * chooseCandidate(result, { atLeast: { quality: 0.6 }, least: "promptTokens" })
 */
export function chooseCandidate(
  { candidates }: { readonly candidates: readonly CandidateRecord[] },
  choice: CandidateChoice,
): CandidateRecord {
  const { atLeast = {}, atMost = {}, least, most = "quality" } = choice;
  const measured = candidates.map((candidate) => ({
    candidate,
    values: new Map(candidateMeasures(candidate).map(({ name, value }) => [name, value])),
  }));
  checkChoice(choice, new Set(measured.flatMap(({ values }) => [...values.keys()])));
  const keeping = measured.filter(
    ({ values }) =>
      Object.entries(atLeast).every(([name, bound]) => (values.get(name) ?? -Infinity) >= bound) &&
      Object.entries(atMost).every(([name, bound]) => (values.get(name) ?? Infinity) <= bound),
  );
  const lossOf = ({ values }: (typeof measured)[number]): number =>
    least === undefined ? -(values.get(most) ?? -Infinity) : (values.get(least) ?? Infinity);
  const [best] = keeping.toSorted(
    (one, other) =>
      compared(lossOf(one), lossOf(other)) ||
      other.candidate.selection.value - one.candidate.selection.value ||
      compared(promptTokensOf(one.candidate), promptTokensOf(other.candidate)) ||
      one.candidate.id - other.candidate.id,
  );
  if (best !== undefined) return best.candidate;
  throw new EspalierError({
    code: "choice-unmet",
    problem: "No candidate meets these bounds",
    expected: boundsText(choice),
    got: Object.keys({ ...atLeast, ...atMost })
      .map((name) => {
        const known = measured.flatMap(({ values }) => values.get(name) ?? []);
        return `\`${name}\` from ${shown(Math.min(...known))} to ${shown(Math.max(...known))}`;
      })
      .join(", "),
    fix: "Relax a bound; `espalier show` lists the measures of each candidate.",
  });
}

function checkChoice({ atLeast, atMost, least, most }: CandidateChoice, known: Set<string>): void {
  const bounds = { ...atLeast, ...atMost };
  const named = [...Object.keys(bounds), ...((least ?? most) ? [least ?? most ?? ""] : [])];
  const unknown = named.find((name) => !known.has(name));
  const wrong = Object.entries(bounds).find(([, bound]) => !Number.isFinite(bound));
  if (
    unknown === undefined &&
    wrong === undefined &&
    !(least !== undefined && most !== undefined)
  ) {
    return;
  }
  throw new EspalierError({
    code: "option-invalid",
    problem: "The choice of a candidate is invalid",
    expected:
      unknown === undefined
        ? "finite bounds, and `least` or `most`, not both"
        : [...known].map((name) => `\`${name}\``).join(", "),
    got:
      unknown === undefined
        ? wrong === undefined
          ? `\`least\` ${least} and \`most\` ${most}`
          : `\`${wrong[0]}\` ${wrong[1]}`
        : `\`${unknown}\``,
    ...(unknown === "latencyMs" && {
      fix: "Runs measure latency only with `measuresLatency` or --measure-latency.",
    }),
  });
}

function promptTokensOf({ selection }: CandidateRecord): number {
  return selection.costs?.promptTokens ?? Infinity;
}

/** Equal infinities differ by 0. */
function compared(one: number, other: number): number {
  return one === other ? 0 : one - other;
}

function boundsText({ atLeast = {}, atMost = {} }: CandidateChoice): string {
  return [
    ...Object.entries(atLeast).map(([name, bound]) => `\`${name}\` of at least ${bound}`),
    ...Object.entries(atMost).map(([name, bound]) => `\`${name}\` of at most ${bound}`),
  ].join(", ");
}

function shown(value: number): string {
  return String(Number(value.toFixed(4)));
}
