import { EspalierError } from "../../errors/index.ts";
import { getOwn } from "../../internal/index.ts";
import type { Budget, Optimizer } from "../../optimizer/index.ts";
import {
  autoSearch,
  bootstrapFewShot,
  decisionFit,
  gepa,
  jointSearch,
  miproV2,
  parameterSearch,
} from "../../optimizer/index.ts";

type Factory = (options: { readonly budget?: Budget }) => Optimizer;

const factories: Readonly<Record<string, Factory>> = {
  "auto-search": autoSearch,
  gepa,
  "joint-search": jointSearch,
  "mipro-v2": miproV2,
  "bootstrap-few-shot": bootstrapFewShot,
  "parameter-search": parameterSearch,
  "decision-fit": decisionFit,
};

/**
 * The optimizer of `--optimizer`, at its defaults.
 *
 * @param budget of the study's own optimizer
 * @throws EspalierError `usage-invalid` for a name that there is not
 */
export function namedOptimizer(name: string, budget: Budget | undefined): Optimizer {
  const factory = getOwn(factories, name);
  if (factory !== undefined) return factory(budget === undefined ? {} : { budget });
  throw new EspalierError({
    code: "usage-invalid",
    problem: "--optimizer names no optimizer that espalier has",
    expected: Object.keys(factories).join(", "),
    got: name,
    fix: "An optimizer of your own, or one with options, goes into the study as `optimizer`.",
  });
}
