import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { stratify, tree } from "d3-hierarchy";
import type { ComparedCandidate, ComparedRun } from "../../../../../../src/report/index.ts";
import { counted, figure } from "../../data/figure.ts";
import { addressOf } from "../../data/route.ts";
import { Points, useWidth } from "../../parts/plot.tsx";

const rowHeight = 22;
const margin = 20;

/** The tree of candidates, from the seed on the left, coloured by score. */
export function LineageTree({ run }: { readonly run: ComparedRun }): JSX.Element {
  const [box, width] = useWidth();
  const [hint, setHint] = useState<string>();
  const { nodes, generations, leaves } = useMemo(() => lineage(run.candidates), [run]);
  const qualities = nodes.map(qualityOf).filter((value) => value !== undefined);
  const low = Math.min(...qualities);
  const high = Math.max(...qualities);
  // Long lineages scroll sideways instead of becoming too narrow to read.
  const drawn = Math.max(width, generations * 28 + 2 * margin);
  const height = Math.max(80, leaves * rowHeight + 2 * margin);
  const x = (share: number): number => margin + share * (drawn - 2 * margin);
  const y = (share: number): number => margin + share * (height - 2 * margin);
  const shade = (node: LineageNode): string => {
    const quality = qualityOf(node);
    if (quality === undefined) return "unknown";
    return `shade-${high === low ? 4 : Math.round((4 * (quality - low)) / (high - low))}`;
  };
  return (
    <figure class="plot" ref={box}>
      <div class="wide tree" tabIndex={0} role="region" aria-label="Lineage">
        <svg width={drawn} height={height} role="group" aria-label="Candidates by parent">
          {nodes.flatMap((node) =>
            node.parents.map((parent, position) => (
              <path
                key={`${node.candidate.id} ${parent}`}
                class={position === 0 ? "branch" : "branch merged"}
                d={branch(nodes[parent], node, x, y)}
              />
            )),
          )}
          <Points
            points={nodes.map((node) => ({
              x: node.x,
              y: node.y,
              text: describe(node, run),
              address: addressOf("candidate", {
                source: run.key,
                candidate: String(node.candidate.id),
              }),
              look: `${shade(node)} ${node.candidate.id === run.best ? "best" : ""}`,
            }))}
            x={x}
            y={y}
            tell={setHint}
          />
          {nodes.map((node) =>
            node.candidate.id === run.best || node.candidate.id === 0 ? (
              <text
                key={node.candidate.id}
                class="name"
                x={x(node.x)}
                y={y(node.y) - 9}
                text-anchor={node.x > 0.9 ? "end" : node.x < 0.1 ? "start" : "middle"}
              >
                {node.candidate.id === run.best ? `best ${node.candidate.id}` : "seed"}
              </text>
            ) : null,
          )}
        </svg>
      </div>
      <figcaption>
        <span aria-live="polite">
          {hint ?? "The seed is on the left; the deeper the colour, the higher the score on val."}
        </span>
        {qualities.length > 0 && (
          <span class="scale" aria-hidden="true">
            {figure(low)}
            {[0, 1, 2, 3, 4].map((step) => (
              <i key={step} class={`shade-${step}`} />
            ))}
            {figure(high)}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

function qualityOf({ candidate }: LineageNode): number | undefined {
  return candidate.measures[0]?.value;
}

function describe(node: LineageNode, { best }: ComparedRun): string {
  const { id, changed, iteration, acceptance, seen } = node.candidate;
  const quality = qualityOf(node);
  return [
    `Candidate ${id}${id === best ? ", the best" : ""}: ${figure(quality)}${seen === undefined ? "" : `, estimated from ${counted(seen, "example")}`}`,
    id === 0 ? "the seed" : `iteration ${iteration}, changed ${changed.join(", ")}`,
    acceptance?.detail ?? "",
  ]
    .filter((part) => part !== "")
    .join("; ");
}

function branch(
  from: LineageNode | undefined,
  to: LineageNode,
  x: (share: number) => number,
  y: (share: number) => number,
): string {
  if (from === undefined) return "";
  const middle = (x(from.x) + x(to.x)) / 2;
  return `M${x(from.x)},${y(from.y)}C${middle},${y(from.y)} ${middle},${y(to.y)} ${x(to.x)},${y(to.y)}`;
}

interface LineageNode {
  readonly candidate: ComparedCandidate;
  /** In [0, 1] from left to right, by generation. */
  readonly x: number;
  /** In [0, 1] from top to bottom. */
  readonly y: number;
  /** Places of its parents in the list of nodes; a merge has two. */
  readonly parents: readonly number[];
}

interface Lineage {
  /** By id. */
  readonly nodes: readonly LineageNode[];
  readonly generations: number;
  readonly leaves: number;
}

/** Lays candidates out below their first parents (Reingold and Tilford, through d3-hierarchy). */
function lineage(candidates: readonly ComparedCandidate[]): Lineage {
  const [seed] = candidates;
  if (seed === undefined) return { nodes: [], generations: 0, leaves: 0 };
  // A candidate without a known parent hangs below the first one, since a tree has one root.
  const root = stratify<ComparedCandidate>()
    .id(({ id }) => String(id))
    .parentId((candidate) =>
      candidate === seed ? null : String(candidates[candidate.parents[0] ?? 0]?.id ?? seed.id),
    )([...candidates]);
  const laidOut = tree<ComparedCandidate>().size([1, 1])(root);
  const places = new Map<number, { readonly x: number; readonly y: number }>();
  let leaves = 0;
  laidOut.each(({ data, x, y, children }) => {
    places.set(data.id, { x: y, y: x });
    if (children === undefined) leaves += 1;
  });
  return {
    nodes: candidates.map((candidate) => ({
      candidate,
      ...(places.get(candidate.id) ?? { x: 0, y: 0 }),
      parents: candidate.parents.filter((parent) => places.has(parent)),
    })),
    generations: laidOut.height + 1,
    leaves,
  };
}
