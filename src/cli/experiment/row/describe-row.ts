import type { JsonObject, LmIdentity } from "../../../contract/index.ts";
import { contentHash, mapValues } from "../../../internal/index.ts";
import { checkSameRun, hashOfGold } from "../../../optimizer/index.ts";
import type { OpenedLms } from "../../lm/open-lms.ts";
import type { ChosenExperiment, PreparedRow } from "./prepared-row.ts";
import { ownBudget } from "./prepared-row.ts";
import type { RowRecord } from "./row-record.ts";

/** Everything that a row's figures depend on, besides the models: the same again when resumed. */
export function describeRow(
  { name, split }: ChosenExperiment,
  row: PreparedRow,
  seed: number,
): JsonObject {
  const { declared, study, examples, optimizer } = row;
  const { program, trainset, objective } = study;
  const description = {
    experiment: name,
    row: declared.name,
    study: study.name,
    program: {
      name: program.name,
      version: program.version,
      components: contentHash(program.components()),
    },
    trainset: { name: trainset.name, checksum: trainset.checksum },
    split,
    examples: contentHash(examples.map(({ id }) => id)),
    metric: { name: objective.name, version: objective.version },
    seed,
    ...(optimizer !== undefined && {
      optimizer: {
        name: optimizer.name,
        version: optimizer.version,
        settings: optimizer.settings,
        budget: ownBudget(row),
        ...(study.gold && { gold: hashOfGold(study) }),
      },
    }),
  };
  return JSON.parse(JSON.stringify(description)) as JsonObject;
}

/** Who answers in which role, and for which predictor. */
export function lmsOf(
  { lm, judgeLm, reflectionLm, lms }: OpenedLms,
  { optimizer }: PreparedRow,
): Readonly<Record<string, LmIdentity>> {
  const plain = ({ provider, model }: LmIdentity): LmIdentity => ({ provider, model });
  return {
    lm: plain(lm.identity),
    ...(judgeLm && { judge: plain(judgeLm.identity) }),
    ...(reflectionLm && optimizer !== undefined && { reflection: plain(reflectionLm.identity) }),
    ...mapValues(lms, ({ identity }) => plain(identity)),
  };
}

/**
 * Rejects a row that was begun as another one: with other data, another program or other options.
 *
 * @throws EspalierError `journal-mismatch`
 */
export function checkRecord(record: RowRecord, description: JsonObject, runFolder: string): void {
  checkSameRun(record.description, description, runFolder);
}

/**
 * Rejects LMs that differ from those of a row that was begun: its figures would be of two models.
 *
 * @throws EspalierError `journal-mismatch`
 */
export function checkSameLms(
  { lms: before }: RowRecord,
  now: Readonly<Record<string, LmIdentity>>,
  runFolder: string,
): void {
  const named = (all: typeof before): JsonObject =>
    mapValues(all, ({ provider, model }) => `${model} (${provider})`);
  checkSameRun(named(before), named(now), runFolder);
}
