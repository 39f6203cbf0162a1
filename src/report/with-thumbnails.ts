import { imageDataIn, imageStandIn, mapTexts } from "../internal/index.ts";
import type { RunComparison } from "./data/run-comparison.ts";

/** A picture that is shown, in characters of its `data:` URL: about 64 KiB as a file. */
const longestShown = 90_000;
/** All of them together. */
const longestTogether = 8_000_000;

/**
 * The comparison with stand-ins for its pictures, and those that are small enough to be shown
 * beside it, each once: first come those of the examples, in order.
 */
export function withThumbnails<
  TComparison extends Pick<RunComparison, "examples" | "sources" | "rollouts">,
>(comparison: TComparison): TComparison & Pick<RunComparison, "images"> {
  const images: Record<string, string> = {};
  const names = new Map<string, string>();
  let together = 0;
  const named = (text: string): string => {
    if (imageDataIn(text) === null) return text;
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = imageStandIn(text);
    names.set(text, name);
    if (text.length <= longestShown && together + text.length <= longestTogether) {
      images[name] = text;
      together += text.length;
    }
    return name;
  };
  const { examples, sources, rollouts } = comparison;
  const shown = {
    examples: mapTexts(examples, named),
    sources: mapTexts(sources, named),
    rollouts: mapTexts(rollouts, named),
  } as Pick<TComparison, "examples" | "sources" | "rollouts">;
  return { ...comparison, ...shown, ...(Object.keys(images).length > 0 && { images }) };
}
