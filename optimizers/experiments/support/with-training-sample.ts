import type { Example, Study } from "espalier";
import { study } from "espalier";
import { trainset } from "espalier/trainset";
import type { ConversationalLabels } from "../../../trainsets/conversational.ts";
import { stratifiedSample } from "../../../trainsets/stratified-sample.ts";

/**
 * The study with a stratified sample of its training examples: by collection, answerability and
 * question type, as NLP-CEIA-UFG drew theirs. Its variants sample for themselves.
 */
export function withTrainingSample(
  given: Study,
  sample: { readonly count: number; readonly seed: number },
): Study {
  const { checksum: _checksum, splits, ...about } = given.trainset;
  const train = stratifiedSample(splits.train, { ...sample, stratum: stratumOf });
  return study({ ...given, trainset: trainset({ ...about, splits: { ...splits, train } }) });
}

function stratumOf({ labels }: Example): string {
  const { collection, answerability, questionType } = labels as ConversationalLabels;
  return `${collection}/${answerability}/${questionType}`;
}
