import { describe, it } from "vitest";
import { needsRedis } from "../../../test/support/redis-server.ts";
import { expectKillsOnRedisToChangeNothing } from "./support/kill-workers.ts";

describe("killing what works on a run", () => {
  needsRedis();

  it("changes nothing and pays for nothing twice", async () => {
    await expectKillsOnRedisToChangeNothing({
      study: "test/cli/fixtures/places.ts",
      budget: 60,
      workers: 2,
      runs: 1,
      harms: { worker: 2, coordinator: 1, redis: 1, "redis without its data": 1 },
      seed: 1,
    });
  });
});
