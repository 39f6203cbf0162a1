import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compileArtifact } from "espalier/artifact";
import { expect, test } from "vitest";
import { thrownBy } from "../../support/thrown-by.ts";
import { changedAtOnce } from "../served.ts";
import { ask, rolledOut } from "../canary/rolled-out.ts";

test("a production version that cannot be read at a start gives way to the one that was last served", async () => {
  await using work = await rolledOut({ candidate: null });
  const file = join(work.registry.folder, "at-once", `${work.exact}.json`);
  const whole = await readFile(file, "utf8");
  const first = await work.serve({ state: work.state() });
  await first.stop();
  await writeFile(file, whole.slice(0, whole.length / 2));

  const refused = await thrownBy(() => work.serve({}));
  expect(refused.code).toBe("artifact-invalid");
  const unknown = await thrownBy(() => work.serve({ state: work.state("other") }));
  expect(unknown.code).toBe("artifact-invalid");

  await using server = await work.serve({ state: work.state() });
  expect(await ask(server, "ada")).toEqual({ version: work.exact, answer: "By the river." });
  expect(work.lines).toContainEqual(
    expect.objectContaining({ event: "version-unusable", model: "at-once", served: work.exact }),
  );
  await writeFile(file, whole);
  expect((await ask(server, "ada")).version).toBe(work.exact);
});

test("a production version of another program gives way at a start as well, and torn aliases do", async () => {
  await using work = await rolledOut({ candidate: null });
  const first = await work.serve({ state: work.state() });
  await first.stop();
  const lm = { provider: "test", model: "none" };
  const { version } = await work.registry.add(
    compileArtifact({ program: changedAtOnce, candidate: [], lm, samples: {} }),
  );
  await work.registry.promote("at-once", version, "production");
  expect((await thrownBy(() => work.serve({}))).code).toBe("artifact-drifted");
  const drifted = await work.serve({ state: work.state() });
  expect((await ask(drifted, "ada")).version).toBe(work.exact);
  await drifted.stop();

  await writeFile(join(work.registry.folder, "at-once", "aliases.json"), "{");
  expect((await thrownBy(() => work.serve({}))).code).toBe("file-malformed");
  await using torn = await work.serve({ state: work.state() });
  expect((await ask(torn, "ada")).version).toBe(work.exact);
});

test("a program that was last served as it is declared has no version to fall back to", async () => {
  await using work = await rolledOut({ candidate: null });
  await (await work.serve({ state: work.state() })).stop();
  await work.registry.withdraw("at-once", "production", work.exact);
  await (await work.serve({ state: work.state() })).stop();
  await writeFile(join(work.registry.folder, "at-once", "aliases.json"), "{");
  const refused = await thrownBy(() => work.serve({ state: work.state() }));
  expect(refused.code).toBe("file-malformed");
});
