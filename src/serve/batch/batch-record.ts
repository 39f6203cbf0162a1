import { z } from "zod";
import { EspalierError } from "../../errors/index.ts";
import type { LmIdentity } from "../../contract/index.ts";
import type { Mock } from "../../mock/index.ts";
import { playedParts, mockLabel } from "../../mock/index.ts";
import { parseJson } from "../../internal/index.ts";
import { readFileWithin, writeFileAtomic } from "../../storage/index.ts";

/** The settings that produced the lines of a batch's result; kept beside it as `FILE.run.json`. */
export interface BatchRecord {
  readonly model: string;
  /** Version of the model's program. */
  readonly version: string;
  readonly lm: { readonly provider: string; readonly model: string };
  /** LMs of single predictors, by name; absent if all use `lm`. */
  readonly lms?: Readonly<Record<string, LmIdentity>> | undefined;
  readonly isRehearsal: boolean;
  readonly mocks: readonly Mock[];
}

const identity = z.object({ provider: z.string(), model: z.string() });
const format = "espalier-batch/1";
const kept = z.object({
  format: z.literal(format),
  model: z.string(),
  version: z.string(),
  lm: identity,
  lms: z.record(z.string(), identity).optional(),
  isRehearsal: z.boolean(),
  mocks: z.array(identity.extend({ part: z.enum(playedParts) })),
});

/**
 * Ensures that a result continues with the settings it began with: in one file, lines of two models
 * would be indistinguishable.
 *
 * @param hasLines whether there is anything to continue
 * @throws EspalierError `journal-mismatch`
 */
export async function checkBatchRecord(
  path: string,
  record: BatchRecord,
  hasLines: boolean,
): Promise<void> {
  const place = `${path}.run.json`;
  if (hasLines) {
    const before = await readRecord(place);
    if (before === undefined || !isSame(before, record)) {
      throw new EspalierError({
        code: "journal-mismatch",
        problem: "The result file belongs to a different batch",
        expected: shown(record),
        got: before === undefined ? `no batch record in ${place}` : shown(before),
        where: path,
        fix: "Name another file, or remove this one to start over.",
      });
    }
  } else await writeFileAtomic(place, `${JSON.stringify({ format, ...record }, null, 2)}\n`);
}

async function readRecord(path: string): Promise<BatchRecord | undefined> {
  try {
    return kept.parse(parseJson(await readFileWithin(path, 2 ** 20)));
  } catch {
    return undefined;
  }
}

function isSame(left: BatchRecord, right: BatchRecord): boolean {
  return shown(left) === shown(right);
}

function shown({ model, version, lm, lms = {}, mocks }: BatchRecord): string {
  const own = Object.entries(lms).map(([name, each]) => `, ${name} by ${each.model}`);
  const { opening } = mockLabel(mocks);
  return `${model} (${version}) over ${lm.model} (${lm.provider})${own.join("")}${opening === "" ? "" : `, ${opening}`}`;
}
