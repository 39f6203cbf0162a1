import { scaleLinear } from "d3-scale";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** What a reader is told about it. */
  readonly text: string;
  readonly address?: string | undefined;
  readonly look?: string;
}

type Place = (value: number) => number;

const height = 320;
const margin = { top: 30, right: 24, bottom: 40, left: 56 } as const;

/**
 * A plot of points over two axes. One tab stop: arrow keys go from point to point, Enter follows
 * it; what the pointer or the focus is on is told below.
 */
export function Plot({
  label,
  xName,
  yName,
  points,
  fromX,
  marks,
}: {
  readonly label: string;
  readonly xName: string;
  readonly yName: string;
  readonly points: readonly PlotPoint[];
  /** Where the horizontal axis begins. @default at the first point */
  readonly fromX?: number;
  /** What is drawn behind the points. */
  readonly marks?: (x: Place, y: Place) => ComponentChildren;
}): JSX.Element {
  const [box, width] = useWidth();
  const [hint, setHint] = useState<string>();
  const reached = points.map((point) => point.x);
  const x = scaleLinear(extent(fromX === undefined ? reached : [fromX, ...reached]), [
    margin.left,
    width - margin.right,
  ]).nice();
  const y = scaleLinear(extent(points.map((point) => point.y)), [
    height - margin.bottom,
    margin.top,
  ]).nice();
  const [xTicks, yTicks] = [Math.max(2, Math.floor(width / 110)), 5];
  const [xText, yText] = [x.tickFormat(xTicks), y.tickFormat(yTicks)];
  return (
    <figure class="plot" ref={box}>
      <svg width={width} height={height} role="group" aria-label={label}>
        {y.ticks(yTicks).map((value) => (
          <g key={value} class="tick" transform={`translate(0,${y(value)})`}>
            <line x1={margin.left} x2={width - margin.right} />
            <text x={margin.left - 8} dy="0.32em" text-anchor="end">
              {yText(value)}
            </text>
          </g>
        ))}
        {x.ticks(xTicks).map((value) => (
          <g key={value} class="tick" transform={`translate(${x(value)},0)`}>
            <text y={height - margin.bottom + 18} text-anchor="middle">
              {xText(value)}
            </text>
          </g>
        ))}
        <text class="axis" x={width - margin.right} y={height - 4} text-anchor="end">
          {xName}
        </text>
        <text class="axis" x={0} y={12}>
          {yName}
        </text>
        {marks?.(x, y)}
        <Points points={points} x={x} y={y} tell={setHint} />
      </svg>
      <figcaption aria-live="polite">{hint ?? `${label}. Point at a mark to read it.`}</figcaption>
    </figure>
  );
}

/** Marks in a plot, of which one is a tab stop. */
export function Points({
  points,
  x,
  y,
  tell,
}: {
  readonly points: readonly PlotPoint[];
  readonly x: Place;
  readonly y: Place;
  readonly tell: (text: string) => void;
}): JSX.Element {
  const [focused, setFocused] = useState(0);
  const links = useRef<(HTMLElement | SVGElement | null)[]>([]);
  const step = (event: KeyboardEvent, position: number): void => {
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    links.current[Math.max(0, Math.min(points.length - 1, position + by))]?.focus();
  };
  const stop = Math.min(focused, points.length - 1);
  return (
    <>
      {points.map(({ text, address, look = "", ...at }, position) => (
        <a
          key={position}
          class={`point ${look}`}
          {...(address === undefined ? { role: "img" } : { href: address })}
          aria-label={text}
          tabIndex={position === stop ? 0 : -1}
          ref={(element) => {
            links.current[position] = element;
          }}
          onKeyDown={(event) => step(event, position)}
          onFocus={() => {
            setFocused(position);
            tell(text);
          }}
          onMouseEnter={() => tell(text)}
        >
          <circle cx={x(at.x)} cy={y(at.y)} r={5} />
        </a>
      ))}
    </>
  );
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
  Home: -Infinity,
  End: Infinity,
};

/** The width that an element has in the page, in CSS pixels. */
export function useWidth(): readonly [{ current: HTMLElement | null }, number] {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(240, Math.floor(entry.contentRect.width)));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

function extent(values: readonly number[]): [number, number] {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
