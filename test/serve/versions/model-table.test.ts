import type { Artifact } from "espalier/artifact";
import { compileArtifact, openRegistry } from "espalier/artifact";
import type { JsonObject } from "espalier";
import { serving } from "espalier/serve";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { asked, atOnce, changedAtOnce, clientOf, declared, served } from "../served.ts";
import { answering, upstream } from "../upstream.ts";

/** The program of `at-once` with an instruction of its own. */
function compiled(instruction: string, run: JsonObject = {}): Artifact {
  return compileArtifact({
    run,
    program: atOnce,
    candidate: [{ kind: "instruction", path: "answer", value: instruction }],
    lm: { provider: "test", model: "none" },
    samples: { answer: [{ question: "Where?", history: [] }] },
  });
}

test("a bare id is the production version, as soon as it is promoted and as soon as it is rolled back", async () => {
  const begunAt = Math.floor(Date.now() / 1_000);
  await using folder = await temporaryFolder();
  const registry = openRegistry(folder.path);
  const madeAt = "2030-01-01T00:00:00.000Z";
  const [first, second] = [compiled("Be brief."), compiled("Be exact.", { finishedAt: madeAt })];
  const versions = [];
  for (const artifact of [first, second]) versions.push((await registry.add(artifact)).version);
  const [brief = "", exact = ""] = versions;
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { registry });
  const ask = async (model: string) => {
    const reply = await clientOf(server).chat.completions.create(asked("Where?", model));
    const prompt = lm.requests.at(-1)?.messages[0]?.content ?? "";
    const { metadata } = reply as unknown as { metadata: { version: string } };
    return [metadata.version, /Answer the question|Be brief|Be exact/.exec(prompt)?.[0]];
  };

  expect(await ask("at-once")).toEqual(["declared", "Answer the question"]);
  await registry.promote("at-once", brief, "production");
  await registry.promote("at-once", exact, "candidate");
  expect(await ask("at-once")).toEqual([brief, "Be brief"]);
  expect(await ask("at-once@candidate")).toEqual([exact, "Be exact"]);
  expect(await ask(`at-once@${exact.slice(0, 6)}`)).toEqual([exact, "Be exact"]);
  await registry.promote("at-once", exact, "production");
  expect(await ask("at-once")).toEqual([exact, "Be exact"]);
  await registry.rollback("at-once", "production");
  expect(await ask("at-once@production")).toEqual([brief, "Be brief"]);

  const listed = await server.models();
  expect(listed.find(({ name }) => name === "at-once")).toEqual({
    name: "at-once",
    version: brief,
    madeAt: null,
  });
  expect(listed).toContainEqual({ name: "at-once@candidate", version: exact, madeAt });
  const { data } = await clientOf(server).models.list();
  const createdOf = (model: string) => data.find(({ id }) => id === model)?.created ?? 0;
  expect(createdOf(`at-once@${exact}`)).toBe(Date.parse(madeAt) / 1_000);
  // As old as the server where no artifact says more.
  expect(createdOf("at-once")).toBeGreaterThanOrEqual(begunAt);
  expect(createdOf("at-once")).toBeLessThanOrEqual(Date.now() / 1_000);
  for (const model of ["at-once@0000", "at-once@", "towns/answerer@production"]) {
    await expect(ask(model)).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  }
});

test("a production version of another program is refused at the start, with what differs", async () => {
  await using folder = await temporaryFolder();
  const registry = openRegistry(folder.path);
  const { version } = await registry.add(compiled("Be brief."));
  await registry.promote("at-once", version, "production");
  const [, model] = declared.models;
  if (model === undefined) throw new Error("There are two models.");
  await using lm = await upstream(answering("There."));
  const error = await thrownBy(() =>
    served(lm, {
      registry,
      serving: serving({ name: "towns", models: [{ ...model, program: changedAtOnce }] }),
    }),
  );
  expect(error.code).toBe("artifact-drifted");
  expect(error.message).toContain("version of the program");
  expect(error.message).toContain("at-once");
});

test("a version that does not fit and is promoted later is logged, and the one before is served on", async () => {
  await using folder = await temporaryFolder();
  const registry = openRegistry(folder.path);
  const { version: fitting } = await registry.add(compiled("Be brief."));
  await registry.promote("at-once", fitting, "production");
  const lines: string[] = [];
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, { registry, log: (line) => lines.push(line) });
  const drifted = compileArtifact({
    program: changedAtOnce,
    lm: { provider: "test", model: "none" },
    samples: {},
  });
  const { version } = await registry.add(drifted);
  await registry.promote("at-once", version, "production");
  const reply = await clientOf(server).chat.completions.create(asked());
  expect(reply).toMatchObject({ metadata: { version: fitting } });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: "version-unusable", model: "at-once" },
    { event: "chat", version: fitting },
  ]);
});

test("a candidate of another program keeps nobody from production, and is told in the log at the start", async () => {
  await using folder = await temporaryFolder();
  const registry = openRegistry(folder.path);
  const { version } = await registry.add(compiled("Be brief."));
  await registry.promote("at-once", version, "candidate");
  const [, model] = declared.models;
  if (model === undefined) throw new Error("There are two models.");
  const lines: string[] = [];
  await using lm = await upstream(answering("There."));
  await using server = await served(lm, {
    registry,
    serving: serving({ name: "towns", models: [{ ...model, program: changedAtOnce }] }),
    log: (line) => lines.push(line),
  });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: "version-unusable", model: "at-once", served: "declared" },
  ]);
  const reply = await clientOf(server).chat.completions.create(asked());
  expect(reply).toMatchObject({ metadata: { version: "declared" } });
  await expect(
    clientOf(server).chat.completions.create(asked("Where?", "at-once@candidate")),
  ).rejects.toMatchObject({ status: 404 });
});
