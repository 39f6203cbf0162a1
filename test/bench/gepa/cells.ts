import type { PeerConfiguration } from "./run-peer.ts";

/** One column of the yardstick: five tasks at one budget. */
export interface Cell {
  readonly name: "additive200" | "additive500" | "conflict200" | "conflict500";
  readonly variant: "additive" | "conflict";
  readonly metricCalls: number;
  /** Twice what gepa 0.1.4 needs. */
  readonly reflectionCalls: number;
  readonly peerReflectionCalls: number;
  /** gepa's best configuration in this cell, of thirteen tried. */
  readonly peerConfiguration: PeerConfiguration;
  /** The minimum validation mean for ours. */
  readonly bar: number;
}

export const cells: readonly Cell[] = [
  {
    name: "additive200",
    variant: "additive",
    metricCalls: 200,
    reflectionCalls: 18,
    peerReflectionCalls: 9,
    peerConfiguration: "all components",
    bar: 0.93,
  },
  {
    name: "additive500",
    variant: "additive",
    metricCalls: 500,
    reflectionCalls: 40,
    peerReflectionCalls: 20,
    peerConfiguration: "default",
    bar: 0.985,
  },
  {
    name: "conflict200",
    variant: "conflict",
    metricCalls: 200,
    reflectionCalls: 18,
    peerReflectionCalls: 9,
    peerConfiguration: "current best",
    bar: 0.5,
  },
  {
    name: "conflict500",
    variant: "conflict",
    metricCalls: 500,
    reflectionCalls: 40,
    peerReflectionCalls: 20,
    peerConfiguration: "current best",
    bar: 0.57,
  },
];
