import type { JSX } from "preact";
import type { ComparedCandidate, ComparedRun } from "../../../../report/index.ts";
import type { ComparisonIndex } from "../../data/comparison-index.ts";
import { counted, figure, wholeNumber } from "../../data/figure.ts";
import { ReflectionCases } from "../evidence/reflection-cases.tsx";

/** Why a candidate was written and accepted, with the cases that reflection saw. */
export function Origin({
  run,
  candidate,
  index,
}: {
  readonly run: ComparedRun | undefined;
  readonly candidate: ComparedCandidate;
  readonly index: ComparisonIndex;
}): JSX.Element {
  const { acceptance, gate, iteration, metricCallsBefore } = candidate;
  const cases = candidate.cases.flatMap((place) => run?.cases[place] ?? []);
  return (
    <section>
      {(acceptance !== undefined || cases.length > 0) && <h2>Why it is here</h2>}
      {acceptance !== undefined && (
        <p>
          {acceptance.detail}
          {/[.!?]$/.test(acceptance.detail) ? "" : "."} Iteration {iteration}, after{" "}
          {wholeNumber(metricCallsBefore)} metric calls
          {gate === undefined
            ? "."
            : `; on the minibatch of ${gate.examples.length} that decided, ${figure(gate.childSum)} against ${figure(gate.parentSum)} of its parent.`}
        </p>
      )}
      {cases.length > 0 && (
        <details>
          <summary>What reflection saw when it wrote this: {counted(cases.length, "case")}</summary>
          <ReflectionCases cases={cases} index={index} />
        </details>
      )}
    </section>
  );
}
