import { EspalierError } from "../../errors/index.ts";
import { candidateMeasures } from "./candidate-measures.ts";
import type { CandidateRecord } from "./candidate-record.ts";

/** Which candidate of a run is wanted; measures by the names that `candidateMeasures` gives. */
export interface CandidateChoice {
  /** Bounds from below, inclusive: `{ quality: 0.6 }`. */
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Bounds from above, inclusive: `{ promptTokens: 900 }`. */
  readonly atMost?: Readonly<Record<string, number>>;
  /** The measure to have least of. */
  readonly least?: string;
  /** The measure to have most of. @default "quality", unless `least` is given */
  readonly most?: string;
}

/**
 * The candidate that keeps the bounds and is best in what is asked for; of equal ones the one of
 * higher quality, then the earlier. All figures are those on val.
 *
 * Throws `option-invalid` for a measure that the run does not have, for bounds that are no numbers,
 * and when both `least` and `most` are given; `choice-unmet` when no candidate keeps the bounds.
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
      one.candidate.id - other.candidate.id,
  );
  if (best !== undefined) return best.candidate;
  throw new EspalierError({
    code: "choice-unmet",
    problem: "No candidate keeps these bounds",
    expected: boundsText(choice),
    got: Object.keys({ ...atLeast, ...atMost })
      .map((name) => {
        const known = measured.flatMap(({ values }) => values.get(name) ?? []);
        return `\`${name}\` from ${shown(Math.min(...known))} to ${shown(Math.max(...known))}`;
      })
      .join(", "),
    fix: "Loosen a bound; `espalier show` lists what each candidate has.",
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
    problem: "This choice among candidates cannot be made",
    expected:
      unknown === undefined
        ? "numbers as bounds, and one measure to have least or most of"
        : [...known].map((name) => `\`${name}\``).join(", "),
    got:
      unknown === undefined
        ? wrong === undefined
          ? `least \`${least}\` and most \`${most}\``
          : `\`${wrong[0]}\` ${wrong[1]}`
        : `\`${unknown}\``,
    ...(unknown === "latencyMs" && {
      fix: "Latency is measured only where a run is asked to: `measuresLatency`, --measure-latency.",
    }),
  });
}

/** Infinities differ by nothing. */
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
