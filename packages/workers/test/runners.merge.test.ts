import { describe } from "vitest";
import { inProcess } from "../../../src/runner/index.ts";
import { needsRedis, redisServer } from "../../../test/support/redis-server.ts";
import { runner, worker } from "./support/queued.ts";
import { runnerContract } from "./support/runner-contract.ts";

describe("a runner in this process", () => {
  runnerContract(async () => ({ runner: inProcess, [Symbol.asyncDispose]: async () => {} }));
});

describe("a runner on Redis", () => {
  needsRedis();
  runnerContract(async (given) => {
    await using stack = new AsyncDisposableStack();
    const { url } = stack.use(await redisServer());
    stack.use(await worker({ ...given, url }));
    stack.use(await worker({ ...given, url }));
    const kept = stack.use(await runner(url));
    const moved = stack.move();
    return { runner: kept, [Symbol.asyncDispose]: () => moved.disposeAsync() };
  });
});
