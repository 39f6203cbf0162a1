import { join } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import { describe, expect, it } from "vitest";
import type { Presences } from "../src/index.ts";
import { needsRedis, redisServer } from "../../../test/support/redis-server.ts";
import type { RunningCli } from "../../../test/support/run-cli.ts";
import { runCli, startCli } from "../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { compiledIn } from "./support/compiled-in.ts";

describe("the number of workers", () => {
  needsRedis();

  it("changes nothing of what is compiled: none, 1, 2 or 8", async () => {
    // Calls are held until each worker has an example, so that all of them take part. Each does one
    // at a time: the run starts with 14 examples, which seven workers of two would take alone.
    let held = Promise.withResolvers<void>();
    held.resolve();
    const clock = { now: () => 0, sleep: () => held.promise };
    await using server = await serveRehearsal({ latencyMs: 1, clock });
    await using folder = await temporaryFolder();
    await using redis = await redisServer();
    const study = ["test/cli/fixtures/places.ts", "--lm", `${server.url}/v1`, "--cache", "none"];
    const optimized = async (name: string, ...given: string[]): Promise<unknown> => {
      const run = join(folder.path, name);
      const { code, stdout, stderr } = await runCli(
        ["optimize", ...study, "--budget", "90", "--seed", "3", "--run", run].concat(given),
      );
      if (code !== 0) throw new Error(stderr);
      const counts = name === "none" ? "" : "workers: \\d+ examples queued, \\d+ cancelled, 0 lost";
      expect(stdout).toMatch(new RegExp(`calls.*\n${counts}`));
      return compiledIn(run);
    };
    const workers: RunningCli[] = [];
    await using _workers = {
      [Symbol.asyncDispose]: async () => {
        held.resolve();
        for (const worker of workers) worker.interrupt("SIGTERM");
        await Promise.all(workers.map(({ ended }) => ended));
      },
    };
    const working = async (): Promise<number> => {
      const { stdout } = await runCli(["workers", "--redis", redis.url, "--json"]);
      const { workers: present } = JSON.parse(stdout) as Presences;
      return present.filter(({ running }) => running > 0).length;
    };

    const expected = await optimized("none");
    for (const number of [1, 2, 8]) {
      while (workers.length < number) {
        workers.push(startCli(["worker", ...study, "--redis", redis.url, "--concurrency", "1"]));
      }
      await Promise.all(workers.map((worker) => worker.saw("is serving")));
      const given = ["--redis", redis.url, "--concurrency", "16"];
      held = Promise.withResolvers<void>();
      const compiled = optimized(`with-${number}`, ...given);
      await expect.poll(working).toBe(number);
      held.resolve();
      expect(await compiled).toEqual(expected);
    }
  });
});
