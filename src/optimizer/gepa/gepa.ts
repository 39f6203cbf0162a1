import { componentId } from "../../internal/index.ts";
import type { Optimizer } from "../contract/optimizer.ts";
import { gepaPlan } from "./gepa-plan.ts";
import type { GepaOptions } from "./settings/gepa-options.ts";
import { describeSettings, gepaSettings } from "./settings/gepa-settings.ts";
import { runGepa } from "./run-gepa.ts";
import { textComponents } from "../task/search-space.ts";

/**
 * Reflective prompt evolution (GEPA, Agrawal et al. 2025, arXiv 2507.19457). A language model reads
 * what a step did on a few training examples and the feedback on it, and rewrites the step's
 * instruction. A new text first proves itself on these examples and then on a sample of val; the
 * next parent is usually the best candidate. The strategies can be replaced: with those of
 * `test/conformance/reference` it does what gepa 0.1.4 does.
 *
 * @example
 * study({ program, trainset, objective, optimizer: gepa({ budget: { metricCalls: 500 } }) })
 */
export function gepa(options: GepaOptions = {}): Optimizer {
  const settings = gepaSettings(options);
  const { seed = 0, budget, reflection: { lm: reflectionLm } = {} } = options;
  return Object.freeze({
    name: "gepa",
    version: "9",
    seed,
    ...(budget === undefined ? {} : { budget }),
    ...(reflectionLm === undefined ? {} : { reflectionLm }),
    asksReflection: settings.proposer.asksReflection ?? true,
    endsByItself: settings.stop.some((stopper) => stopper.endsByItself === true),
    perfectScore: settings.perfectScore,
    settings: describeSettings(settings),
    doPlan: (space, cap) => {
      const components = textComponents(space, settings.components);
      settings.proposer.checkComponents?.(components.map(componentId));
      return gepaPlan(space, cap, { settings, components: components.length });
    },
    doOptimize: (space, run) => runGepa(space, run, settings),
  } satisfies Optimizer);
}
