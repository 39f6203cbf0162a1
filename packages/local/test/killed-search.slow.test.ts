import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { askedAgainIn } from "../../../test/optimizer/support/asked-again-in.ts";
import { startCli } from "../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { smallModel } from "../../../test/support/trained-model.ts";

const path = await smallModel();

test.skipIf(path === null)(
  "a search on a local model that is killed twice, in the search and in its report, asks no recorded reply again, writes the same replies, and gives the same artifact",
  async () => {
    await using folder = await temporaryFolder();
    const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
    const optimize = (how: "--run" | "--resume", run: string) =>
      startCli([
        "optimize",
        "test/cli/fixtures/few-question-types.ts",
        "--lm",
        `local:${path}`,
        "--concurrency",
        "1",
        "--cache",
        "none",
        how,
        run,
      ]);

    const undisturbed = await optimize("--run", whole).ended;
    expect(undisturbed).toMatchObject({ code: 0 });
    const { replies: all } = await callsIn(whole);

    for (const share of [0.4, 0.95]) {
      const search = optimize(share === 0.4 ? "--run" : "--resume", killed);
      let isOver = false;
      void search.ended.then(() => (isOver = true));
      const isReached = async (): Promise<boolean> =>
        (await callsIn(killed)).replies.length >= share * all.length;
      while (!isOver && !(await isReached())) await new Promise((tick) => setTimeout(tick, 5));
      search.interrupt("SIGKILL");
      expect(await search.ended).toMatchObject({ code: null });
    }
    expect(await optimize("--resume", killed).ended).toMatchObject({ code: 0 });

    const { sent, replies } = await callsIn(killed);
    process.stderr.write(
      `[local] ${all.length} replies; ${sent - replies.length} of the killed run were in flight\n`,
    );
    expect(replies).toEqual(all);
    expect(await askedAgainIn(killed)).toEqual([]);
    expect(sent - replies.length).toBeLessThanOrEqual(2);
    expect(await timelessArtifactIn(killed)).toEqual(await timelessArtifactIn(whole));
  },
);

const work = z.object({
  kind: z.string(),
  key: z.string().optional(),
  reply: z.object({ content: z.string().nullable() }).optional(),
});

/** Calls of the search and of its report: how many were sent, and what came back, in order. */
async function callsIn(run: string) {
  const files = await Promise.all(
    ["journal.jsonl", "report.jsonl"].map((name) =>
      readFile(join(run, name), "utf8").catch(() => ""),
    ),
  );
  // A line that a kill cut off has no end.
  const lines = files
    .flatMap((content) => content.split("\n").slice(0, -1))
    .map((line) => work.parse(JSON.parse(line)));
  return {
    sent: lines.filter(({ kind }) => kind === "sent").length,
    replies: lines.flatMap(({ kind, key, reply }) =>
      kind === "reply" ? [{ key, content: reply?.content }] : [],
    ),
  };
}

/** But for times, and for the ledger, which counts calls that a kill cut off as failed. */
async function timelessArtifactIn(run: string): Promise<unknown> {
  const text = await readFile(join(run, "artifact.json"), "utf8");
  const varying = new Set(["finishedAt", "seconds", "ledger"]);
  return JSON.parse(text, (name, value: unknown) => (varying.has(name) ? undefined : value));
}
