import { weightedFusion } from "./weighted-fusion.ts";

/**
 * Fuses retriever and reranker (AILS-NTUA, SemEval-2026 Task 8, equation 1): `1 / (k0 +
 * r_retriever) + weight / (k0 + r_reranker)`, ties in retrieval order. A reranker that failed has
 * no ranking and adds nothing.
 */
export function rerankFusion<TItem extends { readonly id: string }>(
  retrieved: readonly TItem[],
  reranked: readonly { readonly id: string }[],
  { k0, weight }: { readonly k0: number; readonly weight: number },
): readonly TItem[] {
  const byId = new Map(retrieved.map((item) => [item.id, item]));
  const order = weightedFusion<{ readonly id: string }>(
    [
      { items: retrieved, weight: 1 },
      { items: reranked.filter(({ id }) => byId.has(id)), weight },
    ],
    k0,
  );
  return order.flatMap(({ id }) => byId.get(id) ?? []);
}
