import { EspalierError } from "../../errors/index.ts";
import type { CanaryRules } from "../comparison/sequential-comparison.ts";

/** Settings of candidate trials. */
export interface CanarySettings extends Partial<Omit<CanaryRules, "keyShare">> {
  /** Share of the keys that the candidate answers, in [0, 1). @default 0 */
  readonly canary?: number;
  /**
   * Share of the other keys whose question the candidate also answers, unseen, in [0, 1].
   * @default 0
   */
  readonly shadow?: number;
  /**
   * `CanaryRules.keyShare` of a rollout for which several API keys may ask, or have asked; it does
   * not rise until the candidate is promoted again. With at most one key there is no bound, because
   * no evidence would remain without that key. @default 0.5
   */
  readonly keyShare?: number;
}

/**
 * Fills in defaults and checks bounds.
 *
 * @throws EspalierError `option-invalid`
 */
export function canarySettings({
  canary = 0,
  shadow = 0,
  alpha = 0.05,
  tolerance = 0,
  keyShare = 0.5,
}: CanarySettings): Required<CanarySettings> {
  // Without a baseline there is nothing to compare with.
  if (!(canary >= 0 && canary < 1)) throw settingInvalid("a share in [0, 1)", canary, "canary");
  if (!(shadow >= 0 && shadow <= 1)) throw settingInvalid("a share in [0, 1]", shadow, "shadow");
  if (!(alpha > 0 && alpha < 1)) throw settingInvalid("a probability in (0, 1)", alpha, "alpha");
  if (!(tolerance >= 0 && tolerance < 1))
    throw settingInvalid("a score in [0, 1)", tolerance, "tolerance");
  if (!(keyShare >= 0.5 && keyShare <= 1))
    throw settingInvalid("a share in [0.5, 1]", keyShare, "keyShare");
  return { canary, shadow, alpha, tolerance, keyShare };
}

export function settingInvalid(
  expected: string,
  got: number | string,
  option: string,
): EspalierError {
  return new EspalierError({
    code: "option-invalid",
    problem: "A rollout setting is missing or invalid",
    expected: `\`${option}\`, ${expected}`,
    got: String(got),
  });
}
