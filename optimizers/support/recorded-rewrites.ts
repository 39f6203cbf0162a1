import type { Study } from "espalier";
import { study } from "espalier";
import { parameterSearch } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { fuseWordings, searchWordings } from "../../programs/ails-ntua/index.ts";
import { recallWithFeedback } from "../../programs/notes-guided/index.ts";
import { recordedTurns } from "./recorded-turns.ts";
import type { Wording } from "./recorded-wordings.ts";
import { wordingsOfStrategies } from "./recorded-wordings.ts";

const secondLevel = ["clapnq", "fiqa", "govt", "cloud"].flatMap((collection) =>
  ["K0", "Minimal", "CorpusSpecific", "Weak"].map((number) => `${collection}${number}`),
);

const objective = recallWithFeedback({ k: 5, passageOf: () => undefined });

/** Search with one recorded wording of each turn, or with several, fused in one level. */
export function recordedSearch(...wordings: readonly Wording[]): () => Promise<Study> {
  return async () => {
    const { trainset: turns, sparse } = await recordedTurns();
    const program = searchWordings({ sparse, wordings });
    return study({ name: "recorded-search", program, trainset: turns, objective });
  };
}

/**
 * AILS-NTUA's nested fusion over recorded wordings in the roles of its five rewrites. The search
 * tries the numbers of the second level on val.
 */
export async function recordedFusion(): Promise<Study> {
  const { trainset: turns, sparse } = await recordedTurns();
  return study({
    name: "recorded-fusion",
    program: fuseWordings({ sparse, wordings: wordingsOfStrategies }),
    trainset: turns,
    objective,
    optimizer: parameterSearch({ trials: 40, parameters: secondLevel }),
  });
}

/** A study on all its turns, where nothing is chosen by any of them. */
export function onAllTurns(made: () => Promise<Study>): () => Promise<Study> {
  return async () => {
    const given = await made();
    const { checksum: _checksum, splits, ...about } = given.trainset;
    const all = [...splits.train, ...splits.val, ...splits.test];
    return study({ ...given, trainset: trainset({ ...about, splits: { test: all } }) });
  };
}
