/**
 * Benchmarks HANRAG in two parts. First, what BM25 finds in the multi-hop sets with the question
 * and with the gold sub-questions, compared with an independent FTS5 index: the headroom for
 * refiner and decomposer. Then the program without each of its parts, on the questions of the four
 * shelves with the rehearsal LM, which shows that the machinery works and says nothing about a real
 * model.
 */
import { benchOptions, report } from "./support/bench-options.ts";
import type { AnswerFigures, VariantRow } from "./support/hanrag-rehearsal.ts";
import { hanragRehearsal } from "./support/hanrag-rehearsal.ts";
import type { RetrievalRow } from "./support/hanrag-retrieval.ts";
import { hanragRetrieval, independent, multiHopFiles } from "./support/hanrag-retrieval.ts";

const { json } = benchOptions(
  "hanrag",
  "BM25 recall on the multi-hop sets, then HANRAG without each of its parts (rehearsal LM).",
);

const retrieval = multiHopFiles.isAbsent ? undefined : await hanragRetrieval();
const rehearsal = await hanragRehearsal();
const largestDifference = Math.max(0, ...(retrieval ?? []).flatMap(differences));

report(
  json,
  [
    "Supporting paragraphs among the first 10 of BM25, over the union of each set's paragraphs",
    ...(retrieval === undefined
      ? [`Nothing was measured.${multiHopFiles.note}`]
      : [
          `${" ".repeat(30)}recall   all    | independent`,
          ...retrieval.map(retrievalLine),
          `largest difference ${largestDifference.toFixed(4)}`,
        ]),
    "",
    `REHEARSAL: ${rehearsal[0]?.all.questions} questions of the four shelves, by kind; the rehearsal LM routes by names and known words, so this proves nothing about routing`,
    `${" ".repeat(36)}all: F1 Acc steps | compound: Acc steps | complex: Acc steps | right routes`,
    ...rehearsal.map(variantLine),
    "",
    "REHEARSAL: routes chosen by the router",
    ...Object.entries(rehearsal[0]?.taken ?? {}).map(([route, count]) => `  ${route}: ${count}`),
  ].join("\n"),
  { node: process.version, retrieval, independent, largestDifference, rehearsal },
);

function differences({ name, recall, all }: RetrievalRow): readonly number[] {
  const other = independent[name];
  return [
    Math.abs(recall - (other?.recall ?? Number.NaN)),
    ...(other?.all === undefined ? [] : [Math.abs(all - other.all)]),
  ];
}

function retrievalLine({ name, recall, all, questions, passages }: RetrievalRow): string {
  const other = independent[name];
  const known = `${other?.recall.toFixed(3)} ${other?.all?.toFixed(3) ?? ""}`.trimEnd();
  return `${name.padEnd(30)}${recall.toFixed(4)} ${all.toFixed(4)} | ${known.padEnd(11)} (${questions} questions, ${passages} passages)`;
}

function variantLine({ name, all, byRoute, rightRoutes }: VariantRow): string {
  return [
    `${name.padEnd(36)}${all.f1.toFixed(3)} ${accuracyAndSteps(all)}`,
    accuracyAndSteps(byRoute.compound).padStart(12),
    accuracyAndSteps(byRoute.complex).padStart(12),
    rightRoutes.toFixed(3),
  ].join(" | ");
}

function accuracyAndSteps({ accuracy, steps }: AnswerFigures): string {
  return `${accuracy.toFixed(3)} ${steps.toFixed(2)}`;
}
