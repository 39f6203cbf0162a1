/**
 * Which parts of a run were played by a stand-in, and the words that say so: figures obtained with
 * a stand-in say nothing about a real model, so they are labelled wherever they are shown. This is
 * the one place that decides and words it. It goes by a model's identity and never loads a
 * stand-in.
 */
export type { PlayedPart, StandIn } from "./stand-ins.ts";
export { isStandIn, standInsAmong } from "./stand-ins.ts";
export type { StandInLabel } from "./stand-in-label.ts";
export { standInLabel } from "./stand-in-label.ts";
