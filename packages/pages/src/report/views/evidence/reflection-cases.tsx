import type { JSX } from "preact";
import type { ReflectionCase } from "../../../../../../src/report/index.ts";
import type { ComparisonIndex } from "../../data/comparison-index.ts";
import { figure } from "../../data/figure.ts";
import { Quoted, QuotedJson } from "../../parts/quoted.tsx";

/** What reflection was shown when it was asked for a text. */
export function ReflectionCases({
  cases,
  index,
}: {
  readonly cases: readonly ReflectionCase[];
  readonly index: ComparisonIndex;
}): JSX.Element {
  return (
    <>
      {cases.map((one, position) => (
        <Case key={position} seen={one} id={index.comparison.examples[one.example]?.id ?? "?"} />
      ))}
    </>
  );
}

function Case({ seen, id }: { readonly seen: ReflectionCase; readonly id: string }): JSX.Element {
  const { score, feedback, blame = [], failure, output, steps = [], candidate } = seen;
  return (
    <article class="case">
      <h3>
        {id}: {score === null ? "no score" : figure(score)}, of candidate {candidate}
      </h3>
      {feedback !== undefined && <Quoted text={feedback} />}
      {failure !== undefined && <p>Failure: {failure.message}</p>}
      {blame.map(({ path, text }) => (
        <p key={path}>
          <strong>{path}</strong>: {text}
        </p>
      ))}
      {output !== undefined && (
        <>
          <h4>Output</h4>
          <Quoted text={output} />
        </>
      )}
      {steps.map(({ path, inputs, outputs, rawText }) => (
        <details key={path}>
          <summary>{path}</summary>
          <h4>Inputs</h4>
          <QuotedJson value={inputs} />
          <h4>{outputs === null ? "Reply that could not be used" : "Outputs"}</h4>
          {outputs === null ? <Quoted text={rawText ?? "none"} /> : <QuotedJson value={outputs} />}
        </details>
      ))}
    </article>
  );
}
