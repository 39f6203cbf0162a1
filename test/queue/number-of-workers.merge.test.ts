import { join } from "node:path";
import { serveRehearsal } from "@espalier/rehearsal";
import { describe, expect, it } from "vitest";
import type { Presences } from "../../src/queue/index.ts";
import { needsRedis, redisServer } from "../support/redis-server.ts";
import type { RunningCli } from "../support/run-cli.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { compiledIn } from "./support/compiled-in.ts";

describe("the number of workers", () => {
  needsRedis();

  it("changes nothing of what is compiled: none, 1, 2 or 8", async () => {
    // Long enough that no worker alone is quick enough for all.
    await using server = await serveRehearsal({ latencyMs: 20 });
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
        for (const worker of workers) worker.interrupt("SIGTERM");
        await Promise.all(workers.map(({ ended }) => ended));
      },
    };
    const working = async (): Promise<number> => {
      const { stdout } = await runCli(["workers", "--redis", redis.url, "--format", "json"]);
      const { workers: present } = JSON.parse(stdout) as Presences;
      return present.filter(({ counts }) => counts.done > 0).length;
    };

    const expected = await optimized("none");
    for (const number of [1, 2, 8]) {
      while (workers.length < number) {
        workers.push(startCli(["worker", ...study, "--redis", redis.url, "--concurrency", "2"]));
      }
      await Promise.all(workers.map((worker) => worker.saw("serves")));
      const given = ["--redis", redis.url, "--concurrency", "16"];
      expect(await optimized(`with-${number}`, ...given)).toEqual(expected);
      await expect.poll(working, { timeout: 10_000 }).toBe(number);
    }
  }, 180_000);
});
