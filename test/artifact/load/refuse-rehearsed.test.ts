import { resolve } from "node:path";
import { openRegistry, readArtifact, refuseRehearsed } from "espalier/artifact";
import { expect, test } from "vitest";
import { shippedArtifacts } from "../../../scripts/docs/artifact-table.ts";

const real = { provider: "vllm", model: "Qwen/Qwen3-8B" };
const registry = openRegistry(resolve(import.meta.dirname, "../../../artifacts"));
const [shipped] = await shippedArtifacts(registry.folder);
if (shipped === undefined) throw new Error("No artifact is shipped.");
const { artifact } = shipped;

test("what an optimizer chose with the rehearsal LM is refused for a real one, and for no rehearsal", () => {
  expect(() => refuseRehearsed(artifact, real)).toThrow(
    expect.objectContaining({ code: "artifact-rehearsed" }) as Error,
  );
  // A rehearsal server is known by its model's name.
  for (const provider of ["rehearsal", "vllm"]) {
    refuseRehearsed(artifact, { provider, model: "rehearsal" });
  }
});

test("it is enough that the rehearsal LM reflected or judged, and nobody chose a program as it is declared", async () => {
  const { compiled } = await readArtifact(resolve(registry.folder, "..", shipped.path));
  const { reflectionLm: _, ...optimizer } = compiled.optimizer ?? { name: "gepa", seed: 0 };
  const by = (roles: object) => ({
    ...artifact,
    compiled: { ...compiled, lm: real, optimizer: { ...optimizer, ...roles } },
  });
  refuseRehearsed(by({}), real);
  refuseRehearsed(by({ reflectionLm: real, judgeLm: real }), real);
  const rehearsal = { provider: "rehearsal", model: "rehearsal" };
  for (const role of ["reflectionLm", "judgeLm"]) {
    expect(() => refuseRehearsed(by({ [role]: rehearsal }), real)).toThrow(
      "was compiled with the rehearsal LM",
    );
  }
  refuseRehearsed({ ...artifact, compiled: { ...compiled, optimizer: null } }, real);
});
