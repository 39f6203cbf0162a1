import { excerpt, oneLine, withoutImages } from "../../internal/index.ts";

/** An example that two programs scored differently. */
export interface NamedFlip {
  readonly exampleId: string;
  readonly baseline: number;
  readonly other: number;
  /** The example's input, if it is known. */
  readonly input?: unknown;
}

/**
 * Names the examples that flipped, those that changed most first as they are given: at most so
 * many, then how many more there are.
 */
export function flipsText(flips: readonly NamedFlip[], most: number): readonly string[] {
  const rest = flips.length - most;
  return [
    ...flips.slice(0, most).map(({ exampleId, baseline, other, input }) => {
      const shown =
        input === undefined
          ? ""
          : `  ${excerpt(oneLine(JSON.stringify(withoutImages(input))), 70)}`;
      return `  ${exampleId}  ${baseline.toFixed(2)} -> ${other.toFixed(2)}${shown}`;
    }),
    ...(rest > 0 ? [`  and ${rest} more; --json shows them all`] : []),
  ];
}
