import { describe, it } from "vitest";
import { needsRedis } from "../../../test/support/redis-server.ts";
import { expectKillsOnRedisToChangeNothing } from "./support/kill-workers.ts";

/**
 * `npm run kills:workers` makes the whole number: 200 of workers, 20 of the coordinator. Another
 * study than the small one is named by its file, with its budget in metric calls, such as
 * `ESPALIER_KILLED_STUDY=optimizers/notes-guided.ts ESPALIER_KILLED_BUDGET=600`.
 */
const runs = Number(process.env["ESPALIER_KILLED_RUNS"] ?? 2);
const study = process.env["ESPALIER_KILLED_STUDY"] ?? "test/cli/fixtures/small-notes-guided.ts";
const budget = Number(process.env["ESPALIER_KILLED_BUDGET"] ?? 60);

describe("killing what works on a run of notes-guided", () => {
  needsRedis();

  it(
    `changes nothing in ${runs} runs of ${study}, ${budget} metric calls each`,
    async () => {
      const { harms, repeated, inFlight } = await expectKillsOnRedisToChangeNothing({
        study,
        budget,
        workers: 4,
        runs,
        harms: { worker: 20, coordinator: 2, redis: 1, "redis without its data": 1 },
        seed: 2,
        onNote: (sentence) => process.stderr.write(`${sentence}\n`),
      });
      const kills = JSON.stringify(harms);
      process.stderr.write(`${kills}; ${repeated} paid twice, at most ${inFlight} in flight\n`);
    },
    (300_000 + 2_000 * budget) * runs,
  );
});
