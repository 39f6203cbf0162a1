import { join, resolve } from "node:path";
import { readArtifact } from "espalier/artifact";
import { expect } from "vitest";
import { askedAgainIn } from "../../optimizer/support/asked-again-in.ts";
import { test } from "../support/vllm-test.ts";
import { recordedReplies, runOutcome } from "./support/run-outcome.ts";
import { failureOf, steady, workplace } from "./support/workplace.ts";

const study = resolve(import.meta.dirname, "studies/ails-ntua-recall.ts");
const options = [study, "--budget=24", "--cache=none"];

test("optimize, killed twice in mid-run and resumed, ends as an undisturbed run does", async ({
  systems,
  embedder,
  reranker,
}) => {
  await using servers = await steady({ lm: systems, embedder, reranker });
  await using place = await workplace(servers);
  const [whole, killed] = [join(place.path, "whole"), join(place.path, "killed")];
  const undisturbed = await place.cli("optimize", ...options, "--run=whole");
  expect(failureOf(undisturbed)).toBeNull();
  const { compiled } = await readArtifact(join(whole, "artifact.json"));
  expect(compiled.lineage.length).toBeGreaterThan(1);
  const replies = await recordedReplies(whole);

  for (const [how, share] of [
    ["--run=killed", 1 / 3],
    ["--resume=killed", 2 / 3],
  ] as const) {
    const running = place.start("optimize", ...options, how);
    await expect
      .poll(() => recordedReplies(killed), { interval: 10 })
      .toBeGreaterThan(share * replies);
    running.interrupt("SIGKILL");
    // No exit code: a signal ended it.
    expect(await running.ended).toMatchObject({ code: null });
  }
  const resumed = await place.cli("optimize", study, "--resume=killed");
  expect(failureOf(resumed)).toBeNull();
  expect(await runOutcome(killed)).toEqual(await runOutcome(whole));
  expect(await askedAgainIn(killed)).toEqual([]);
  expect(await recordedReplies(killed)).toBe(replies);
});
