import { describe, it } from "vitest";
import { needsRedis } from "../support/redis-server.ts";
import { expectKillsOnRedisToChangeNothing } from "./support/kill-workers.ts";

/** `npm run kills:workers` makes the whole number: 200 of workers, 20 of the coordinator. */
const runs = Number(process.env["ESPALIER_KILLED_RUNS"] ?? 2);

describe("killing what works on a run of notes-guided", () => {
  needsRedis();

  it(
    `changes nothing in ${runs} runs`,
    async () => {
      const { harms, repeated, inFlight } = await expectKillsOnRedisToChangeNothing({
        study: "test/cli/fixtures/small-notes-guided.ts",
        budget: 60,
        workers: 4,
        runs,
        harms: { worker: 20, coordinator: 2, redis: 1, "redis without its data": 1 },
        seed: 2,
        onNote: (sentence) => process.stderr.write(`${sentence}\n`),
      });
      const kills = JSON.stringify(harms);
      process.stderr.write(`${kills}; ${repeated} paid twice, at most ${inFlight} in flight\n`);
    },
    300_000 * runs,
  );
});
