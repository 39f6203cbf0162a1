import { rehearsalEmbedder, rehearsalScorer } from "@espalier/rehearsal";
import type { Parts } from "espalier/servers";
import { parts } from "espalier/servers";

/** Every part played by a stand-in, as with `--rehearsal`. */
export function rehearsalParts(): Parts {
  return parts({ fillsGaps: true, standInModels: { rehearsalEmbedder, rehearsalScorer } });
}
