import { join, resolve } from "node:path";
import { expect } from "vitest";
import { espalier } from "../../support/run-cli.ts";
import { askedAgainIn } from "../../optimizer/support/asked-again-in.ts";
import { serverFolders } from "../support/server-folders.ts";
import { startServer } from "../support/server-process.ts";
import { test } from "../support/vllm-test.ts";
import { recordedReplies, runOutcome } from "./support/run-outcome.ts";
import { failureOf, steady, workplace } from "./support/workplace.ts";

const study = resolve(import.meta.dirname, "studies/ails-ntua-recall.ts");
const options = [study, "--budget=24", "--cache=none"];

test("a server that dies in mid-run and comes back changes no run, whether the run waits or ends", async ({
  embedder,
  reranker,
}) => {
  using folders = await serverFolders();
  await using first = await startServer("systems", folders);
  const { address } = first;
  await using servers = await steady({ lm: address, embedder, reranker });
  await using place = await workplace(servers);
  const [whole, waiting, ending] = ["whole", "waiting", "ending"].map((name) =>
    join(place.path, name),
  ) as [string, string, string];
  expect(failureOf(await place.cli("optimize", ...options, "--run=whole"))).toBeNull();
  const replies = await recordedReplies(whole);

  const patient = place.start("optimize", ...options, "--run=waiting", "--patience=30");
  const impatient = place.start("optimize", ...options, "--run=ending", "--patience=0.02");
  for (const run of [waiting, ending]) {
    await expect.poll(() => recordedReplies(run), { interval: 10 }).toBeGreaterThan(replies / 4);
  }
  await first.kill();

  const ended = await impatient.ended;
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.stderr).toContain(`To resume: ${espalier} optimize `);
  expect(ended.stderr).toMatch(/^espalier: lm-unreachable: /m);
  await patient.saw("Waiting for the server, ");

  await using _second = await startServer("systems", folders, Number(new URL(address.root).port));
  expect(failureOf(await patient.ended)).toBeNull();
  const resumed = await place.cli("optimize", study, "--resume=ending");
  expect(failureOf(resumed)).toBeNull();
  for (const run of [waiting, ending]) {
    expect(await runOutcome(run)).toEqual(await runOutcome(whole));
    expect(await askedAgainIn(run)).toEqual([]);
    expect(await recordedReplies(run)).toBe(replies);
  }
});
