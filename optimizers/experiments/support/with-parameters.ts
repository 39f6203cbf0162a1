import type { Candidate } from "espalier";

/** A candidate that replaces values of parameters. */
export function withParameters(values: Readonly<Record<string, string | number>>): Candidate {
  return Object.entries(values).map(
    ([path, value]) => ({ kind: "parameter", path, value }) as const,
  );
}

/** The same weights of AILS-NTUA's groups of rewrites for each collection. */
export function withWeights(
  shares: Readonly<Partial<Record<"Minimal" | "CorpusSpecific" | "Weak", number>>>,
): Candidate {
  const values = ["clapnq", "fiqa", "govt", "cloud"].flatMap((collection) =>
    Object.entries(shares).map(([group, share]) => [`${collection}${group}`, share] as const),
  );
  return withParameters(Object.fromEntries(values));
}
