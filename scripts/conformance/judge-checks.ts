import type { Answerability, ClarificationVerdict, IdkVerdict } from "@espalier/judge";
import { answerabilityOf, conditioned, idkVerdictIn, ratingIn } from "@espalier/judge";
import { harmonicMeanOf } from "espalier/metric";
import type { ConformanceCheck } from "./check.ts";
import { agreeing, isNear } from "./check.ts";
import { evaluatedFiles, evaluatedResponses } from "./published-rows.ts";

interface OfficialExamples {
  readonly extract_rating: readonly (readonly [string | null, number])[];
  readonly first_token_idk: readonly (readonly [string | null, IdkVerdict | null])[];
  readonly conditioning: readonly {
    readonly answerability: Answerability | null;
    readonly idk_eval: IdkVerdict;
    readonly underspecified_eval: ClarificationVerdict;
    readonly raw: number;
    readonly conditioned: number;
  }[];
}

interface Worked {
  readonly harmonic_mean: readonly {
    readonly RB_agg: number;
    readonly RL_F: number;
    readonly RB_llm: number;
    readonly HM: number;
    readonly published: number | null;
  }[];
}

interface RecordedTask {
  readonly input: readonly {
    readonly enrichments?: { readonly answerability?: readonly string[] };
  }[];
  readonly answerability: readonly string[];
}

const official = "mtrag-eval/official_examples.json";
const responses = "mtrag-eval/ibm_responses-10.jsonl";
const worked = "mtrag-eval/worked_examples.json";

export const judgeChecks: readonly ConformanceCheck[] = [
  {
    name: "rating parser: official function",
    tolerance: "1e-12",
    files: [official],
    run: async (data) =>
      agreeing((await data.json<OfficialExamples>(official)).extract_rating, ([reply, rating]) =>
        isNear(ratingIn(reply), rating, 1e-12),
      ),
  },
  {
    name: "IDK parser: official function",
    tolerance: "none",
    files: [official],
    run: async (data) =>
      agreeing(
        (await data.json<OfficialExamples>(official)).first_token_idk,
        ([reply, verdict]) => idkVerdictIn(reply) === verdict,
      ),
  },
  {
    name: "conditioning: 54 combinations",
    tolerance: "none",
    files: [official],
    run: async (data) =>
      agreeing((await data.json<OfficialExamples>(official)).conditioning, (row) => {
        const given = {
          raw: row.raw,
          answerability: row.answerability ?? undefined,
          idk: row.idk_eval,
          clarification: row.underspecified_eval,
        };
        return conditioned(given) === row.conditioned;
      }),
  },
  {
    name: "conditioning: 1,279 recorded rows whose label was not read",
    tolerance: "none",
    files: evaluatedFiles,
    run: async (data) => {
      const judged = (await evaluatedResponses(data)).filter(({ metrics }) => metrics.idk_eval);
      return agreeing(judged, ({ metrics }) =>
        (["RB_agg", "RL_F", "RB_llm"] as const).every((name) => {
          const raw = metrics[name]?.[0] ?? null;
          const idk = metrics.idk_eval?.[0] ?? "unknown";
          const ours = conditioned({ raw, answerability: undefined, idk, clarification: 0 });
          return ours === (metrics[`${name}_idk`]?.[0] ?? null);
        }),
      );
    },
  },
  {
    name: "harmonic mean: published systems, from their means",
    tolerance: "1e-9; .00015 of what was published from unrounded means",
    files: [worked],
    run: async (data) =>
      agreeing((await data.json<Worked>(worked)).harmonic_mean, (row) => {
        const ours = harmonicMeanOf([row.RB_agg, row.RL_F, row.RB_llm]);
        return (
          isNear(ours, row.HM) && (row.published === null || isNear(ours, row.published, 1.5e-4))
        );
      }),
  },
  {
    name: "answerability label: IBM's recorded responses, with bare NaN",
    tolerance: "none",
    files: [responses],
    run: async (data) =>
      agreeing(await data.lines<RecordedTask>(responses), (row) => {
        const [annotated] = row.input.at(-1)?.enrichments?.answerability ?? [];
        return answerabilityOf({ ...row }) === annotated;
      }),
  },
];
