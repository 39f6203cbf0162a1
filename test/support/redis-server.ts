import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { beforeAll, beforeEach } from "vitest";
import type { Certificates } from "./certificates.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const path = process.env["REDIS_SERVER_PATH"] ?? "redis-server";
const isThere = process.env["CI"] === "true" || spawnSync(path, ["--version"]).error === undefined;
const why = `there is no ${path}; REDIS_SERVER_PATH may name another`;

interface Address {
  readonly host: string;
  readonly port: number;
  readonly password?: string;
  readonly tls?: { readonly ca: Buffer };
}

/** Skips the tests of a file, loudly, where there is no Redis; never in continuous integration. */
export function needsRedis(): void {
  beforeAll(() => {
    if (!isThere) process.stderr.write(`SKIPPED: ${why}; see CONTRIBUTING.md\n`);
  });
  beforeEach(({ skip }) => skip(!isThere, why));
}

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** Kills it; `restart` starts it again. */
  stop(): Promise<void>;
  /** Kills it and starts it again at the same address. */
  restart(options: { readonly keepsData: boolean }): Promise<void>;
  /** All keys. */
  keys(): Promise<readonly string[]>;
  command(name: string, ...given: string[]): Promise<unknown>;
}

interface RedisServerOptions {
  /** Of the default user. @default none is asked for */
  readonly password?: string;
  /** Its port speaks TLS alone. @default no TLS */
  readonly tls?: Certificates;
}

/** A real Redis on a free port, with a folder of its own, without a save on its own account. */
export async function redisServer({
  password,
  tls,
}: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const url = `${tls ? "rediss" : "redis"}://127.0.0.1:${port}`;
  const address: Address = {
    host: "127.0.0.1",
    port,
    ...(password !== undefined && { password }),
    ...(tls && { tls: { ca: readFileSync(tls.authority) } }),
  };
  const options = [
    ...(password === undefined ? [] : ["--requirepass", password]),
    ...(tls
      ? [...tlsOptions(tls), "--tls-port", String(port), "--port", "0"]
      : ["--port", String(port)]),
  ];
  const begin = async (): Promise<ChildProcess> => {
    const given = ["--bind", "127.0.0.1", "--dir", folder.path];
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
    stop: end,
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

function tlsOptions({ authority, certificate, key }: Certificates): readonly string[] {
  const files = ["--tls-ca-cert-file", authority, "--tls-cert-file", certificate];
  return [...files, "--tls-key-file", key, "--tls-auth-clients", "no"];
}

async function asked<TResult>(
  address: Address,
  ask: (redis: Redis) => Promise<TResult>,
): Promise<TResult> {
  const redis = new Redis({ ...address, lazyConnect: true });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

async function accepts(address: Address, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    const isUp = await asked(address, (redis) => redis.ping()).then(
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
