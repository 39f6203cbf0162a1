import { grammarOption } from "../../internal/index.ts";
import type { ServerExamination } from "./server-examination.ts";

/** An option of `vllm serve`, and what the server lacks without it. */
export interface RecommendedOption {
  readonly option: string;
  readonly reason: string;
}

/** Options with which a vLLM server would do more of what espalier uses; none for other servers. */
export function recommendedOptions({
  model,
  version,
  dialect,
  capabilities,
}: Pick<
  ServerExamination,
  "model" | "version" | "dialect" | "capabilities"
>): readonly RecommendedOption[] {
  // Only vLLM and its relatives report a version.
  if (version === null || dialect !== "vllm") return [];
  const lacks = (name: keyof typeof capabilities): boolean =>
    capabilities[name].state === "unsupported";
  if (lacks("chat")) return [];
  const grammar = [
    ...(lacks("boundedStrings") ? ["strings of bounded length cannot hold a quote"] : []),
    ...(lacks("compactJson") ? ["a reply can end in endless white space"] : []),
  ];
  return [
    ...(grammar.length === 0 ? [] : [{ option: grammarOption, reason: grammar.join("; ") }]),
    ...(lacks("cachedTokens")
      ? [{ option: "--enable-prompt-tokens-details", reason: "reports cannot say what was cached" }]
      : []),
    ...(lacks("prefixCaching")
      ? [{ option: "--enable-prefix-caching", reason: "a shared prompt is computed every time" }]
      : []),
    ...(lacks("reasoning")
      ? [
          {
            option: `--reasoning-parser ${parserOf(model)}`,
            reason: "thoughts appear in the answer, and a schema keeps the model from thinking",
          },
        ]
      : []),
  ];
}

/** As vLLM 0.32 names them, for the models whose parser is known here. */
function parserOf(model: string): string {
  return parsers.find(([pattern]) => pattern.test(model))?.[1] ?? "NAME";
}

const parsers: readonly (readonly [RegExp, string])[] = [
  [/thinking-2507/i, "deepseek_r1"],
  [/qwen3/i, "qwen3"],
  [/deepseek-?r1/i, "deepseek_r1"],
  [/gpt-oss/i, "openai_gptoss"],
  [/granite/i, "granite"],
];
