import { line } from "d3-shape";
import type { JSX } from "preact";
import type { ComparedCandidate } from "../../../../../src/report/index.ts";
import { figure } from "../data/figure.ts";
import type { Axis, Placed } from "../data/front.ts";
import { axesOf, paretoFront } from "../data/front.ts";
import { addressOf, amendAddress } from "../data/route.ts";
import type { ViewProps } from "../data/view-props.ts";
import { Choice } from "../parts/choice.tsx";
import { Plot } from "../parts/plot.tsx";
import { CandidateLink } from "../parts/candidate-link.tsx";
import { WideTable } from "../parts/wide-table.tsx";

interface Item {
  readonly source: string;
  readonly candidate: ComparedCandidate;
  readonly isBest: boolean;
}

/** Every candidate by two measures, with those that nothing beats in both. */
export function TradeOffs({ index, route }: ViewProps): JSX.Element {
  const { sources } = index.comparison;
  const items = sources.flatMap(({ key, candidates, best }) =>
    candidates.map((candidate): Item => ({
      source: key,
      candidate,
      isBest: candidate.id === best,
    })),
  );
  const axes = axesOf(items.map(({ candidate }) => candidate));
  const chosen = (name: string, preset: number): Axis | undefined =>
    axes.find((axis) => axis.name === route.given.get(name)) ?? axes[preset] ?? axes[0];
  const [x, y] = [chosen("x", 1), chosen("y", 0)];
  if (x === undefined || y === undefined) {
    return (
      <>
        <h1 tabIndex={-1}>Trade-offs</h1>
        <p>No candidate has a measure yet.</p>
      </>
    );
  }
  const points = items.flatMap((item): Placed<Item>[] => {
    const [atX, atY] = [x, y].map(
      ({ name }) => item.candidate.measures.find((measure) => measure.name === name)?.value,
    );
    return atX === undefined || atY === undefined ? [] : [{ item, x: atX, y: atY }];
  });
  const front = paretoFront(points, x, y);
  const options = axes.map(({ name, better }) => ({
    value: name,
    text: `${name} (${better} is better)`,
  }));
  return (
    <>
      <h1 tabIndex={-1}>Trade-offs</h1>
      <p>
        {front.length} of {points.length} candidates are on the Pareto front: no other is better in{" "}
        {x.name === y.name ? x.name : `${x.name} or ${y.name}`} without being worse in the other.
      </p>
      <div class="controls">
        <Choice
          label="Across"
          value={x.name}
          options={options}
          choose={(name) => amendAddress(route, { x: name })}
        />
        <Choice
          label="Upwards"
          value={y.name}
          options={options}
          choose={(name) => amendAddress(route, { y: name })}
        />
      </div>
      <Plot
        label={`${y.name} by ${x.name}`}
        xName={`${x.name}, ${x.better} is better`}
        yName={`${y.name}, ${y.better} is better`}
        points={points.map((point) => ({
          x: point.x,
          y: point.y,
          text: `${point.item.source}, candidate ${point.item.candidate.id}: ${y.name} ${figure(point.y)}, ${x.name} ${figure(point.x)}${front.includes(point) ? ", on the front" : ""}`,
          address: addressOf("candidate", {
            source: point.item.source,
            candidate: String(point.item.candidate.id),
          }),
          look: front.includes(point) ? "best" : "",
        }))}
        marks={(atX, atY) => (
          <path
            class="best-so-far"
            d={
              line<Placed<Item>>(
                (point) => atX(point.x),
                (point) => atY(point.y),
              )([...front]) ?? ""
            }
          />
        )}
      />
      <h2>On the front</h2>
      <WideTable
        label="On the front"
        columns={["Candidate", { number: y.name }, { number: x.name }]}
      >
        {front.slice(0, 50).map(({ item, ...at }) => (
          <tr key={`${item.source} ${item.candidate.id}`}>
            <th scope="row">
              <CandidateLink source={item.source} candidate={item.candidate.id} />
            </th>
            <td class="number">{figure(at.y)}</td>
            <td class="number">{figure(at.x)}</td>
          </tr>
        ))}
      </WideTable>
      {front.length > 50 && <p class="hint">The first 50 of {front.length}, from the left.</p>}
    </>
  );
}
