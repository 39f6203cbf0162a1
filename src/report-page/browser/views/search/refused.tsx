import type { JSX } from "preact";
import type { ComparedRun } from "../../../../report/index.ts";
import type { ComparisonIndex } from "../../data/comparison-index.ts";
import { counted } from "../../data/figure.ts";
import { CandidateLink } from "../../parts/candidate-link.tsx";
import { Quoted } from "../../parts/quoted.tsx";
import { ReflectionCases } from "../evidence/reflection-cases.tsx";

/** What did not become a candidate, and why. */
export function Refused({
  run: { refused, skipped, key, cases },
  index,
}: {
  readonly run: ComparedRun;
  readonly index: ComparisonIndex;
}): JSX.Element {
  const alike = [
    ...Map.groupBy(refused, ({ parents, components, reason, detail, texts }) =>
      JSON.stringify([parents, components, reason, detail, texts]),
    ).values(),
  ];
  return (
    <section>
      <h2>What did not become a candidate</h2>
      {refused.length + skipped.length === 0 && <p>Every proposal became a candidate.</p>}
      {alike.map((all) =>
        all.slice(0, 1).map(({ iteration, components, parents: [parent], ...one }) => {
          const { reason, detail, texts, ...seen } = one;
          return (
            <details key={`${iteration} ${components.join(" ")}`}>
              <summary>
                Iteration {iteration}: {reason}, {components.join(", ")}
                {all.length > 1 && `, and ${all.length - 1} more like it`}
              </summary>
              <p>
                {detail}
                {parent !== undefined && (
                  <>
                    {" "}
                    (from <CandidateLink source={key} candidate={parent} />)
                  </>
                )}
              </p>
              {Object.entries(texts ?? {}).map(([component, text]) => (
                <div key={component}>
                  <h3>{component}</h3>
                  <Quoted text={text} />
                </div>
              ))}
              {seen.cases.length > 0 && (
                <details>
                  <summary>What reflection saw: {counted(seen.cases.length, "case")}</summary>
                  <ReflectionCases
                    cases={seen.cases.flatMap((place) => cases[place] ?? [])}
                    index={index}
                  />
                </details>
              )}
            </details>
          );
        }),
      )}
      {skipped.length > 0 && (
        <details>
          <summary>{counted(skipped.length, "iteration")} without a request to reflection</summary>
          <ul>
            {skipped.map(({ iteration, parent, reason }) => (
              <li key={iteration}>
                Iteration {iteration}, candidate {parent}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
