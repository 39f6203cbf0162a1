import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workersAt } from "../src/index.ts";
import type { Certificates } from "../../../test/support/certificates.ts";
import { certificates } from "../../../test/support/certificates.ts";
import type { RedisServer } from "../../../test/support/redis-server.ts";
import { needsRedis, redisServer } from "../../../test/support/redis-server.ts";
import type { CliResult } from "../../../test/support/run-cli.ts";
import { runCli, startCli } from "../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";

const password = "s3cret/pass:word@1";
const wrong = "wr0ng/pass:word@2";

describe("Redis with a password", () => {
  needsRedis();
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await redisServer({ password });
    const rights = ["~espalier:*", "&espalier:*", "+@all", "-@dangerous", "+info"];
    await redis.command("acl", "setuser", "espalier", "on", `>${password}`, ...rights);
    await redis.command("acl", "setuser", "reader", "on", `>${password}`, "~other:*", "+@all");
  });
  afterAll(() => redis[Symbol.asyncDispose]());
  const as = (login: string): string => redis.url.replace("//", `//${login}@`);

  it("is used by workers with the password of the environment or the URL, as a user or none", async () => {
    const encoded = encodeURIComponent(password);
    const env = { ESPALIER_REDIS_PASSWORD: password };
    expect(await evaluated(redis.url, env)).toMatchObject({ code: 0 });
    expect(await evaluated(as(`:${encoded}`))).toMatchObject({ code: 0 });
    expect(await evaluated(as("espalier"), env)).toMatchObject({ code: 0 });
    const whole = await evaluated(as(`espalier:${encoded}`));
    expect(whole).toMatchObject({ code: 0 });
    expect(whole.stderr).not.toContain("pass:word");
    expect(await redis.keys()).toEqual([]);
  });

  it.each([
    ["no password", (url: string) => ({ url })],
    ["another", (url: string) => ({ url, password: wrong })],
    ["another in the URL", () => ({ url: as(`:${encodeURIComponent(wrong)}`), password })],
    ["that of nobody", () => ({ url: as("nobody"), password })],
  ])("refuses %s, and the error shows none", async (_, given) => {
    const error = await thrownBy(() => workersAt(given(redis.url)));
    expect(error).toMatchObject({ code: "queue-failed" });
    expect(error.message).toContain("Redis rejected the user or password");
    expect(error.message).toContain("ESPALIER_REDIS_PASSWORD");
    expect(error.message).not.toMatch(/pass:word|pass%3Aword/);
    expect(inspect(error, { depth: 9 })).not.toMatch(/pass:word|pass%3Aword/);
  });

  it("refuses a password in the URL that is not percent-encoded, and says how it is written", async () => {
    const error = await thrownBy(() => workersAt({ url: as("espalier:100%") }));
    expect(error).toMatchObject({ code: "option-invalid" });
    expect(error.message).toContain("%25 for %");
    expect(error.message).not.toContain("100");
  });

  it("says what a user lacks", async () => {
    const { code, stderr } = await runCli(["workers", "--redis", as("reader")], {
      env: { ESPALIER_REDIS_PASSWORD: password },
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain("queue-failed: The Redis user lacks a permission");
    expect(stderr).toContain("begin with `espalier:`");
    expect(stderr).not.toContain("pass:word");
  });

  it.each([
    `redis://127.0.0.1?password=${encodeURIComponent(password)}`,
    `http://me:${encodeURIComponent(password)}@127.0.0.1`,
    `redis://me:${encodeURIComponent(password)}@127.0.0.1/zero`,
  ])("is never shown from a URL that is refused, such as %s", async (url) => {
    const error = await thrownBy(() => workersAt({ url }));
    expect(error).toMatchObject({ code: "option-invalid" });
    expect(error.message).toContain("rediss://USER:PASSWORD@HOST:PORT/DATABASE");
    expect(error.message).not.toMatch(/pass:word|pass%3Aword/);
  });
});

describe("Redis over TLS", () => {
  needsRedis();
  let files: Certificates;
  let redis: RedisServer;
  const stack = new AsyncDisposableStack();
  beforeAll(async () => {
    files = certificates(stack.use(await temporaryFolder()).path);
    redis = stack.use(await redisServer({ password, tls: files }));
  });
  afterAll(() => stack.disposeAsync());

  it("is used where NODE_EXTRA_CA_CERTS names its authority", async () => {
    const env = { ESPALIER_REDIS_PASSWORD: password, NODE_EXTRA_CA_CERTS: files.authority };
    expect(await evaluated(redis.url, env)).toMatchObject({ code: 0 });
    const elsewhere = redis.url.replace("127.0.0.1", "localhost");
    const other = await runCli(["workers", "--redis", elsewhere], { env });
    expect(other.stderr).toContain("queue-failed: The certificate of Redis is for another host");
  });

  it("is refused where nobody vouches for it", async () => {
    const error = await thrownBy(() => workersAt({ url: redis.url, password }));
    expect(error).toMatchObject({ code: "queue-failed" });
    expect(error.message).toContain("The certificate of Redis is not trusted");
    expect(error.message).toContain("NODE_EXTRA_CA_CERTS");
    expect(error.message).not.toContain("pass:word");
  });

  it("is missed by redis://, and a port without it by rediss://", async () => {
    const plainly = redis.url.replace("rediss:", "redis:");
    const closed = await thrownBy(() => workersAt({ url: plainly, password }));
    expect(closed.message).toContain("a port with TLS needs rediss://");
    await using plain = await redisServer();
    const silent = await thrownBy(() =>
      workersAt({ url: plain.url.replace("redis:", "rediss:"), password }),
    );
    expect(silent.message).toContain(
      "a port without TLS needs redis:// and never answers rediss://",
    );
    for (const { message } of [closed, silent]) expect(message).not.toContain("pass:word");
  });
});

/** Evaluates two examples with one worker, each in a process of its own. */
async function evaluated(
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const places = ["test/cli/fixtures/places.ts", "--rehearsal", "--redis", url];
  const worker = startCli(["worker", ...places], { env });
  const result = await runCli(["eval", ...places, "--limit", "2"], { env });
  // One that has not begun yet is not listening for signals.
  await worker.saw("is serving");
  worker.interrupt("SIGTERM");
  const { code, stderr } = await worker.ended;
  if (code !== 0) throw new Error(stderr);
  return result;
}
