import type { JSX } from "preact";
import { componentId } from "../../../../../../src/internal/index.ts";
import type { Component } from "../../../../../../src/contract/index.ts";
import { figure } from "../../data/figure.ts";
import { Difference } from "../../parts/difference.tsx";
import { partText } from "../../parts/part-text.ts";
import { Quoted, QuotedJson } from "../../parts/quoted.tsx";

/**
 * A candidate's texts, demonstrations and parameters: those that differ from the other's are open,
 * as differences; the rest is folded.
 */
export function ChangedParts({
  now,
  before,
}: {
  readonly now: readonly Component[];
  readonly before: readonly Component[] | undefined;
}): JSX.Element {
  const old = new Map(before?.map((component) => [componentId(component), component]));
  const isSame = (component: Component): boolean =>
    before !== undefined && partText(old.get(componentId(component))) === partText(component);
  const changed = now.filter((component) => !isSame(component));
  const same = now.filter(isSame);
  return (
    <section>
      <h2>{before === undefined ? "Parts" : "What differs"}</h2>
      {before !== undefined && changed.length === 0 && <p>Nothing: the parts are the same.</p>}
      {changed.map((component) => (
        <div key={componentId(component)} class="part">
          <h3>{componentId(component)}</h3>
          {before === undefined ? (
            <PartValue component={component} />
          ) : (
            <Difference
              before={partText(old.get(componentId(component)))}
              after={partText(component)}
            />
          )}
        </div>
      ))}
      {same.length > 0 && (
        <details>
          <summary>
            {same.length} {same.length === 1 ? "part is" : "parts are"} the same
          </summary>
          {same.map((component) => (
            <div key={componentId(component)} class="part">
              <h3>{componentId(component)}</h3>
              <PartValue component={component} />
            </div>
          ))}
        </details>
      )}
    </section>
  );
}

function PartValue({ component }: { readonly component: Component }): JSX.Element {
  if (component.kind !== "demos") return <Quoted text={partText(component)} />;
  if (component.value.length === 0) return <p>No demonstrations.</p>;
  return (
    <ol class="demonstrations">
      {component.value.map(({ exampleId, score, inputs, outputs, steps = [] }, position) => (
        <li key={position}>
          <details>
            <summary>
              {exampleId}
              {score !== undefined && `, scored ${figure(score)}`}
            </summary>
            <h4>Inputs</h4>
            <QuotedJson value={inputs} />
            {steps.length > 0 && (
              <>
                <h4>Steps</h4>
                <QuotedJson value={steps} />
              </>
            )}
            <h4>Outputs</h4>
            <QuotedJson value={outputs} />
          </details>
        </li>
      ))}
    </ol>
  );
}
