import { join } from "node:path";
import type { LanguageModel } from "espalier";
import { readArtifact } from "espalier/artifact";
import { gepa, optimize } from "espalier/optimizer";
import { reportOnTest } from "espalier/report";
import { rehearsalLm, serveRehearsal } from "@espalier/rehearsal";
import { expect, it } from "vitest";
import { readReports } from "../../../src/optimizer/files.ts";
import { placeStudy } from "../../optimizer/support/place-search.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const fixture = "test/cli/fixtures/places.ts";

it("writes what the command writes, and asks nothing twice", async () => {
  await using folder = await temporaryFolder();
  await using server = await serveRehearsal();
  const byCommand = join(folder.path, "by-command");
  const command = `optimize ${fixture} --optimizer gepa --budget 60 --seed 3`.split(" ");
  const asked = ["--lm", `${server.url}/v1`, "--run", byCommand];
  expect((await runMain([...command, ...asked])).code).toBe(0);

  const inCode = join(folder.path, "in-code");
  const model = rehearsalLm();
  let calls = 0;
  const lm: LanguageModel = {
    identity: model.identity,
    doGenerate: (request, options) => {
      calls++;
      return model.doGenerate(request, options);
    },
  };
  const options = { lm, runFolder: inCode };
  const budget = { metricCalls: 60 };
  const result = await optimize(placeStudy, { ...options, optimizer: gepa(), seed: 3, budget });
  const found = await reportOnTest(placeStudy, result, { ...options, studyPath: fixture });
  expect(readReports(inCode)).toEqual(readReports(byCommand));
  const { compiled, run } = await readArtifact(join(inCode, "artifact.json"));
  const { compiled: expected } = await readArtifact(join(byCommand, "artifact.json"));
  // The servers differ, and the paths to the study are equal.
  expect({ ...compiled, lm: expected.lm, optimizer: expected.optimizer }).toEqual(expected);
  expect(run).toMatchObject({
    isRehearsal: true,
    mocks: [{ part: "lm" }, { part: "reflectionLm" }],
  });
  expect(found).toMatchObject({ artifactPath: join(inCode, "artifact.json"), earlier: [] });
  expect(found.figures[0]?.comparison?.verdict).toBe(found.report.comparison?.verdict);
  expect((await runMain(["show", inCode])).stdout).toContain("on test");

  const before = calls;
  const again = await reportOnTest(placeStudy, result, options);
  expect(calls).toBe(before);
  expect(again.figures).toEqual(found.figures);

  const elsewhere = { ...options, runFolder: join(folder.path, "elsewhere") };
  await expect(reportOnTest(placeStudy, result, elsewhere)).rejects.toThrow("no run");
  await expect(
    reportOnTest(placeStudy, result, { ...options, runFolder: byCommand }),
  ).rejects.toThrow("another run");
  expect(calls).toBe(before);
});
