import type { Sampling } from "../../contract/index.ts";
import { deepFreeze } from "../../internal/index.ts";
import type { Signature } from "../../signature/index.ts";
import type { AgentSettings, PredictorSettings, ProbabilitySources } from "../driver/driver.ts";
import { checkedProbabilities } from "./checked-probabilities.ts";
import { checkedSampling } from "./checked-sampling.ts";

/** The settings of a predictor as given. */
export interface SettingsOptions {
  /** Merged over `defaultSampling`: greedy, at most 4,096 tokens. */
  readonly sampling?: Partial<Sampling>;
  readonly thinking?: boolean;
  /** @default 1 */
  readonly corrections?: 0 | 1;
  /**
   * Keeps chat-template tokens, such as `<|im_end|>`, in inputs and demonstrations. A server may
   * then read them as tokens. @default false: a space breaks each
   */
  readonly keepsChatTokens?: boolean;
  /**
   * Boolean and enum outputs whose labels' probabilities the trace records; weights of a program
   * (`labelWeight()`) decide by them. @default none
   */
  readonly probabilities?: ProbabilitySources;
  /** Set by `agent()`. */
  readonly agent?: AgentSettings;
}

/**
 * A predictor's settings with their defaults. Those that are not set are left out, so that the
 * settings of earlier artifacts stay equal.
 *
 * @throws EspalierError `parameter-invalid`, `option-invalid`
 */
export function checkedSettings(
  {
    corrections = 1,
    thinking,
    sampling = {},
    keepsChatTokens,
    probabilities,
    agent,
  }: SettingsOptions,
  signature: Signature,
): PredictorSettings {
  return Object.freeze({
    sampling: checkedSampling(sampling, signature.name),
    corrections,
    ...(thinking === undefined ? {} : { thinking }),
    ...(keepsChatTokens === true ? { keepsChatTokens: true } : {}),
    ...(agent && { agent: deepFreeze(structuredClone(agent)) }),
    ...(probabilities && { probabilities: checkedProbabilities(probabilities, signature) }),
  });
}
