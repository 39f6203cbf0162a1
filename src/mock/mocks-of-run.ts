import type { LmIdentity } from "../contract/index.ts";
import type { Mock } from "./mocks.ts";
import { distinctMocks, mocksAmong } from "./mocks.ts";

/**
 * The mocks of a search, by its description as a journal's head holds it: LMs by their
 * identities, other parts as they were named. Searches of plain texts have no LM.
 */
export function mocksOfRun(run: object): readonly Mock[] {
  const { lm, reflectionLm, judgeLm, teacherLm, lms = {}, mocks = [] } = run as PlayedRun;
  return distinctMocks([
    ...mocksAmong({ lm, reflectionLm, judgeLm, teacherLm }),
    ...Object.values(lms).flatMap((identity) => mocksAmong({ lm: identity })),
    ...mocks,
  ]);
}

type PlayedRun = {
  readonly [Lm in "lm" | "reflectionLm" | "judgeLm" | "teacherLm"]?: LmIdentity;
} & {
  /** The LMs of single predictors. */
  readonly lms?: Readonly<Record<string, LmIdentity>>;
  readonly mocks?: readonly Mock[];
};
