import type { Blame, PredictorTrace, RetrievalTrace, Trace, TraceNode } from "espalier";

/** The evidence for blaming the steps of one run. */
export interface StepEvidence {
  readonly relevant: readonly string[];
  /** Ids of the documents used to write the answer. */
  readonly context: ReadonlySet<string>;
  readonly isComplex: boolean | undefined;
  /** Describes a relevant document in a few words. */
  readonly named: (id: string) => string;
}

/**
 * Blames each step but the last: the router for its route, the writer of variants for what its
 * searches found beyond earlier rounds, and a review for what it kept, and for having ended the
 * search.
 */
export function blameByStep({ children }: Trace, evidence: StepEvidence): readonly Blame[] {
  const scopes = children.flatMap((node) => (node.kind === "scope" ? [node.children] : []));
  const rounds = [children, ...scopes];
  return [
    ...blameOfRouter(children, evidence),
    ...rounds.flatMap((calls, index) => {
      const known = idsOf(rounds.slice(0, index).flat().filter(isSearch));
      const wanted = evidence.relevant.filter((id) => !known.has(id));
      return [
        ...blameOfVariants(calls, { ...evidence, relevant: wanted }),
        ...blameOfReview(calls, evidence),
      ];
    }),
  ];
}

function blameOfRouter(calls: readonly TraceNode[], { isComplex }: StepEvidence): readonly Blame[] {
  const judge = predictorOf(calls, /^judgeComplexity$/);
  const judged = judge?.outputs?.["isComplex"];
  if (judge === undefined || judged === undefined || isComplex === undefined) return [];
  const isRight = judged === isComplex;
  const truth = isComplex ? "needs more than one search" : "is answered by one search";
  const verdict = judged === true ? "complex" : "not complex";
  const text = isRight
    ? `Rightly judged ${verdict}: the question ${truth}.`
    : `Wrongly judged ${verdict}: the question ${truth}.`;
  return [{ path: judge.path, score: isRight ? 1 : 0, text }];
}

function blameOfVariants(
  calls: readonly TraceNode[],
  { relevant, named }: StepEvidence,
): readonly Blame[] {
  const writer = predictorOf(calls, /^varyQuery/);
  if (writer === undefined || relevant.length === 0) return [];
  const found = idsOf(calls.filter(isSearch));
  const missing = relevant.filter((id) => !found.has(id));
  const hits = relevant.length - missing.length;
  const lost =
    missing.length === 0
      ? []
      : ["Missing relevant documents:", ...missing.map((id) => `- ${named(id)}`)];
  return [
    {
      path: writer.path,
      score: hits / relevant.length,
      text: [
        `The searches with these queries found ${hits} of ${relevant.length} relevant documents that were to be found.`,
        ...lost,
      ].join("\n"),
    },
  ];
}

function blameOfReview(
  calls: readonly TraceNode[],
  { relevant, context, named }: StepEvidence,
): readonly Blame[] {
  const review = predictorOf(calls, /^reviewDocuments$/);
  if (review === undefined) return [];
  const shown = relevant.filter((id) => idsOf(calls.filter(isReranking)).has(id));
  const dropped = shown.filter((id) => !context.has(id));
  const missing = relevant.filter((id) => !context.has(id)).length;
  const ended = review.outputs?.["isSufficient"] === true;
  const hasEndedEarly = ended && missing > 0;
  if (shown.length === 0 && !hasEndedEarly) return [];
  const kept = shown.length - dropped.length;
  const text = [
    ...(shown.length === 0
      ? []
      : [`Of ${shown.length} relevant documents that this round found ${kept} were kept.`]),
    ...(dropped.length === 0 ? [] : [`Left out: ${dropped.map(named).join("; ")}.`]),
    ...(hasEndedEarly
      ? [`Called sufficient too early: ${missing} relevant documents were still missing.`]
      : []),
  ].join(" ");
  const share = shown.length === 0 ? 1 : kept / shown.length;
  return [{ path: review.path, score: hasEndedEarly ? share / 2 : share, text }];
}

function predictorOf(calls: readonly TraceNode[], name: RegExp): PredictorTrace | undefined {
  return calls.find(
    (node): node is PredictorTrace => node.kind === "predictor" && name.test(node.predictor),
  );
}

/** A search has a number in its path; a reranking, one per round, has none. */
function isSearch(node: TraceNode): node is RetrievalTrace {
  return node.kind === "retrieval" && node.path.endsWith("]");
}

function isReranking(node: TraceNode): node is RetrievalTrace {
  return node.kind === "retrieval" && !node.path.endsWith("]");
}

function idsOf(retrievals: readonly RetrievalTrace[]): ReadonlySet<string> {
  return new Set(retrievals.flatMap(({ results }) => results.map(({ id }) => id)));
}
