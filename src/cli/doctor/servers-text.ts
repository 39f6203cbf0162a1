import { withoutCredentials } from "../../internal/index.ts";
import type { Servers } from "../../servers/index.ts";
import { standInMark } from "../../servers/index.ts";
import { joinLines } from "../terminal/join-lines.ts";
import type { PartTrial } from "./part-trials.ts";

/** Who plays which part, as the file has it. */
export function castText(path: string, servers: Servers): string {
  const { lms, roles, predictors, reranker, tokenizer } = servers;
  const usesOf = (name: string): readonly string[] => [
    ...Object.entries(roles).flatMap(([role, lm]) => (lm === name ? [role] : [])),
    ...Object.entries(predictors).flatMap(([key, lm]) => (lm === name ? [`predictor ${key}`] : [])),
  ];
  const rows = Object.entries(lms).map(([name, { url, model }]): Row => {
    const isOnly = Object.keys(lms).length === 1 && roles.answer === undefined;
    const uses = [
      ...(isOnly ? ["answer"] : []),
      ...usesOf(name),
      ...(typeof reranker === "object" && "lm" in reranker && reranker.lm === name
        ? ["reranker"]
        : []),
      ...(tokenizer === name ? ["tokenizer"] : []),
    ];
    const asked = uses.join(", ") || "named by nothing here";
    return [`LM ${name}`, `${model} at ${shownUrls(url)}`, asked];
  });
  const rehearsed = usesOf(standInMark).join(", ");
  const parts = (["embedder", "reranker", "pairScorer", "tokenizer", "search"] as const).flatMap(
    (part): readonly Row[] => {
      const given = servers[part];
      if (given === undefined) return [];
      if (given === standInMark) return [[part, standInMark, ""]];
      if (typeof given === "string") return [[part, `LM ${given}`, ""]];
      if ("lm" in given) return [[part, `LM ${given.lm}`, ""]];
      const at = shownUrls(given.url);
      return [[part, "model" in given ? `${given.model} at ${at}` : at, ""]];
    },
  );
  const all = [
    ...rows,
    ...(rehearsed === "" ? [] : [["LM", standInMark, rehearsed] as const]),
    ...parts,
  ];
  const width = Math.max(0, ...all.map(([name]) => name.length));
  return joinLines([
    path,
    ...all.map(([name, server, use]) =>
      `  ${name.padEnd(width)}  ${server}${use === "" ? "" : `: ${use}`}`.trimEnd(),
    ),
  ]);
}

type Row = readonly [name: string, server: string, use: string];

function shownUrls(url: string | readonly string[]): string {
  return [url].flat().map(withoutCredentials).join(", ");
}

/** What came of asking the parts. */
export function partTrialsText(trials: readonly PartTrial[]): string {
  const width = Math.max(...trials.map(({ part }) => part.length));
  return joinLines(
    trials.map(
      ({ part, isWorking, evidence }) =>
        `${part.padEnd(width)}  ${(isWorking ? "works" : "fails").padEnd(5)}  ${evidence}`,
    ),
  );
}
