import { curveStepAfter, line } from "d3-shape";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ComparedRun, CurvePoint } from "../../../../../../src/report/index.ts";
import type { SplitName } from "../../../../../../src/contract/index.ts";
import { figure, wholeNumber } from "../../data/figure.ts";
import { addressOf } from "../../data/route.ts";
import { Choice } from "../../parts/choice.tsx";
import { Plot } from "../../parts/plot.tsx";

const names: Readonly<Record<SplitName, string>> = {
  val: "val, for selection",
  train: "train, in minibatches",
  test: "test",
};

type Evaluated = CurvePoint & { readonly value: number };

/** Each evaluation at the metric calls spent by then; a line follows the best so far. */
export function ScoreCurve({ run }: { readonly run: ComparedRun }): JSX.Element {
  const evaluated = run.curve.filter((point): point is Evaluated => point.value !== null);
  const present = [...new Set(evaluated.map(({ split }) => split))].toSorted(
    (left, right) => Number(right === "val") - Number(left === "val"),
  );
  const [chosen, setChosen] = useState<SplitName>();
  const split = chosen !== undefined && present.includes(chosen) ? chosen : present[0];
  if (split === undefined) return <p>Nothing has been evaluated yet.</p>;
  const shown = evaluated.filter((point) => point.split === split);
  return (
    <>
      {present.length > 1 && (
        <div class="controls">
          <Choice
            label="Examples of"
            value={split}
            options={present.map((value) => ({ value, text: names[value] }))}
            choose={(value) => setChosen(present.find((name) => name === value))}
          />
        </div>
      )}
      <Plot
        label={`Score on ${split} by metric calls`}
        xName="metric calls"
        yName={`score on ${split}`}
        fromX={0}
        points={shown.map((point) => ({
          x: point.metricCalls,
          y: point.value,
          text: describe(point),
          look: point.candidate === null ? "refused" : point.candidate === run.best ? "best" : "",
          ...(point.candidate !== null && {
            address: addressOf("candidate", {
              source: run.key,
              candidate: String(point.candidate),
            }),
          }),
        }))}
        marks={(x, y) =>
          // Minibatches differ from each other, so that a best of them means nothing.
          split === "train" ? null : <path class="best-so-far" d={bestSoFar(shown, x, y)} />
        }
      />
    </>
  );
}

function describe({ candidate, value, metricCalls, examples, reused }: CurvePoint): string {
  const name = candidate === null ? "A refused proposal" : `Candidate ${candidate}`;
  const from = reused === 0 ? "" : `, ${reused} of them reused`;
  return `${name}: ${figure(value)} on ${examples} examples${from}, after ${wholeNumber(metricCalls)} metric calls`;
}

function bestSoFar(
  points: readonly Evaluated[],
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  let best = -Infinity;
  const path = line<readonly [number, number]>(
    ([calls]) => x(calls),
    ([, value]) => y(value),
  ).curve(curveStepAfter);
  return (
    path(
      points.map(({ metricCalls, value, candidate }) => {
        if (candidate !== null) best = Math.max(best, value);
        return [metricCalls, best === -Infinity ? value : best] as const;
      }),
    ) ?? ""
  );
}
