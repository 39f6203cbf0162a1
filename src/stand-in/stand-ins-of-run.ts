import type { LmIdentity } from "../contract/index.ts";
import type { StandIn } from "./stand-ins.ts";
import { distinctStandIns, standInsAmong } from "./stand-ins.ts";

/**
 * The stand-ins of a search, by its description as a journal's head holds it: LMs by their
 * identities, other parts as they were named. Searches of plain texts have no LM.
 */
export function standInsOfRun(run: object): readonly StandIn[] {
  const { lm, reflectionLm, judgeLm, teacherLm, lms = {}, standIns = [] } = run as PlayedRun;
  return distinctStandIns([
    ...standInsAmong({ lm, reflectionLm, judgeLm, teacherLm }),
    ...Object.values(lms).flatMap((identity) => standInsAmong({ lm: identity })),
    ...standIns,
  ]);
}

type PlayedRun = {
  readonly [Lm in "lm" | "reflectionLm" | "judgeLm" | "teacherLm"]?: LmIdentity;
} & {
  /** The LMs of single predictors. */
  readonly lms?: Readonly<Record<string, LmIdentity>>;
  readonly standIns?: readonly StandIn[];
};
