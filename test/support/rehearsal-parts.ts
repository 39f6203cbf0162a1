import { rehearsalEmbedder, rehearsalScorer } from "@espalier/rehearsal";
import type { Parts } from "espalier/servers";
import { parts } from "espalier/servers";

/** Every part played by a mock, as with `--rehearsal`. */
export function rehearsalParts(): Parts {
  return parts({ fillsGaps: true, mockModels: { rehearsalEmbedder, rehearsalScorer } });
}
