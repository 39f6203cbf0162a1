import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { beforeAll, beforeEach } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const path = process.env["REDIS_SERVER_PATH"] ?? "redis-server";
const isThere = process.env["CI"] === "true" || spawnSync(path, ["--version"]).error === undefined;
const why = `there is no ${path}; REDIS_SERVER_PATH may name another`;

/** Skips the tests of a file, loudly, where there is no Redis; never in continuous integration. */
export function needsRedis(): void {
  beforeAll(() => {
    if (!isThere) process.stderr.write(`SKIPPED: ${why}; see CONTRIBUTING.md\n`);
  });
  beforeEach(({ skip }) => skip(!isThere, why));
}

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Kills it and starts it again at the same address. */
  restart(options: { readonly keepsData: boolean }): Promise<void>;
  /** All keys. */
  keys(): Promise<readonly string[]>;
  command(name: string, ...given: string[]): Promise<unknown>;
}

/** A real Redis on a free port, with a folder of its own, without a save on its own account. */
export async function redisServer(password?: string): Promise<RedisServer> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const address = password === undefined ? url : `redis://:${password}@127.0.0.1:${port}`;
  const options = password === undefined ? [] : ["--requirepass", password];
  const begin = async (): Promise<ChildProcess> => {
    const given = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder.path];
    // Every write is on disk before it is answered, so that a kill loses none.
    const kept = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];
    const child = spawn(path, [...given, ...kept, ...options], { stdio: "ignore" });
    await accepts(address, child);
    return child;
  };
  let child = await begin();
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return {
    url,
    restart: async ({ keepsData }) => {
      if (!keepsData) await asked(address, (redis) => redis.flushall());
      await end();
      child = await begin();
    },
    keys: () => asked(address, (redis) => redis.keys("*")),
    command: (name, ...given) => asked(address, (redis) => redis.call(name, ...given)),
    [Symbol.asyncDispose]: async () => {
      await end();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function asked<TResult>(
  url: string,
  ask: (redis: Redis) => Promise<TResult>,
): Promise<TResult> {
  const redis = new Redis(url, { lazyConnect: true });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

async function accepts(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    const isUp = await asked(url, (redis) => redis.ping()).then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
