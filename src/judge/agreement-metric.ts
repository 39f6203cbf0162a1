import type { Metric, Passage } from "../contract/index.ts";
import type { GroundedSides } from "../metric/index.ts";
import {
  blameOn,
  failureBeside,
  metric,
  noReference,
  notApplicable,
  rbAggOf,
  referenceIn,
  rougeLOf,
  scored,
  tokenOverlapOf,
} from "../metric/index.ts";
import type { AgreementService } from "./agreement.ts";

/**
 * Metric `rb_agg`: RB_agg from a service's scores; see `rbAggOf`. It does not condition on
 * abstention, unlike `generationQuality`. Without a service, see `lexicalAgreement` of
 * `espalier/metric`.
 */
export function rbAgg<
  const TAnswer extends string,
  const TPassages extends string,
  const TReference extends string,
>({
  answer,
  passages,
  reference,
  answering,
  agreement,
}: GroundedSides<TAnswer, TPassages, TReference> & {
  readonly agreement: AgreementService;
}): Metric<
  unknown,
  { readonly [K in TAnswer]: string } & { readonly [K in TPassages]: readonly Passage[] },
  { readonly [K in TReference]?: string }
> {
  return metric({
    name: "rb_agg",
    version: `1-${agreement.name}-${agreement.version}`,
    appliesTo: ({ labels }) => referenceIn(labels, reference) !== undefined,
    score: async ({ example, output, trace, signal }) => {
      const wanted = referenceIn(example.labels, reference);
      if (wanted === undefined) return notApplicable(noReference);
      const response: string = output[answer];
      const shown: readonly Passage[] = output[passages];
      const texts = shown.map(({ text }) => text);
      const scores = await agreement.doCompare(
        { response, reference: wanted, passages: texts },
        signal === undefined ? {} : { signal },
      );
      const value = rbAggOf({
        ...scores,
        tokenRecall: tokenOverlapOf(response, wanted).recall,
        rougeL: rougeLOf(response, wanted),
      });
      const text = `The answer was "${response}"; a good one is "${wanted}".`;
      return scored(value, text, blameOn(trace, answering, { score: value, text }));
    },
    formatFailure: failureBeside(reference),
  });
}
