import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PackedInstall } from "../support/packed-install.ts";
import { packedInstall } from "../support/packed-install.ts";
import { writeReadmeExample } from "../support/readme-example.ts";

let user: PackedInstall;
beforeAll(() => {
  user = packedInstall();
  user.add("rehearsal");
});
afterAll(() => user[Symbol.dispose]());

// A program of a user's own: another folder, the packed package, plain Node.js, a server by URL.
describe("the README's program in a user's folder", () => {
  it("is evaluated over 200 examples, and its failures are listed", async () => {
    writeReadmeExample(user.folder, 200);
    await using server = await serverOf(user, { unparseableContent: 0.1 });
    const { status, stdout, stderr } = user.node(
      "node_modules/.bin/espalier",
      "eval",
      "answerer.ts",
      "--lm",
      `${server.url}/v1`,
      "--json",
    );
    expect({ status, stderr: stderr.includes("espalier:") }).toEqual({ status: 0, stderr: false });
    const line = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as {
      readonly counts: { readonly scored: number; readonly formatFailures: number };
      readonly failures: readonly {
        readonly code: string;
        readonly exampleIds: readonly string[];
      }[];
    };
    expect(line.counts.scored).toBe(200);
    expect(line.counts.formatFailures).toBeGreaterThan(0);
    const [failure] = line.failures;
    expect(failure?.code).toBe("output-unparseable");
    expect(line.failures.flatMap(({ exampleIds }) => exampleIds)).toHaveLength(
      line.counts.formatFailures,
    );
    expect(stdout).toContain(`${failure?.exampleIds.length} x output-unparseable (format)`);
    expect(stdout).toContain(failure?.exampleIds[0]);
  });
});

/** The rehearsal server of the packed package, in a process of its own. */
async function serverOf(
  { folder }: PackedInstall,
  faults: Readonly<Record<string, number>>,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const code = `
    import { serveRehearsal } from "@espalier/rehearsal";
    const server = await serveRehearsal({ faults: ${JSON.stringify(faults)} });
    console.log(server.url);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: chunk.toString().trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
