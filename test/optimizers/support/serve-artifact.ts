/**
 * Serving as a user writes it, with nothing but the public doors:
 * `node serve-artifact.ts ARTIFACT STUDY BASE_URL`, with a JSON list of `{ id, input }` on standard
 * input. Prints the outputs as one JSON list.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Study } from "espalier";
import { loadArtifact } from "espalier/artifact";
import { connect } from "espalier/lm";

const [artifactPath = "", studyPath = "", baseUrl = ""] = process.argv.slice(2);
const module = (await import(pathToFileURL(resolve(studyPath)).href)) as { default: Study };
const program = await loadArtifact(artifactPath, module.default.program);
const examples = JSON.parse(readFileSync(0, "utf8")) as readonly {
  readonly id: string;
  readonly input: unknown;
}[];

await using lm = connect({ baseUrl, model: "rehearsal" });
const outputs: unknown[] = [];
for (const { id, input } of examples) {
  outputs.push(await program.run(input, { lm, seed: 0, exampleId: id }));
}
console.log(JSON.stringify(outputs));
