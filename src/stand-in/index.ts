/**
 * Which parts of a run a stand-in played, and how to say so: figures obtained with a stand-in say
 * nothing about a real model, so they are labelled wherever they appear. Only this module decides
 * on and words the label. It checks a model's identity and never loads a stand-in.
 */
export type { PlayedPart, StandIn } from "./stand-ins.ts";
export {
  distinctStandIns,
  isRehearsal,
  isStandIn,
  playedParts,
  standInLms,
  standInsAmong,
} from "./stand-ins.ts";
export type { StandInLabel } from "./stand-in-label.ts";
export { standInLabel } from "./stand-in-label.ts";
export { standInsOfRun } from "./stand-ins-of-run.ts";
