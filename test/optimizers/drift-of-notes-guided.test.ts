import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadArtifact, programDrift, readArtifact } from "espalier/artifact";
import declareNotesGuided from "../../optimizers/notes-guided.ts";
import { answerer } from "../cli/fixtures/towns.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import type { ChangedField } from "./support/changed-notes-guided.ts";
import { changedNotesGuided, renamed } from "./support/changed-notes-guided.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const notesGuided = await declareNotesGuided(rehearsalParts());

const study = "optimizers/notes-guided.ts";
const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const path = join(folder.path, "notes-guided.json");
const made = await runMain(["eval", study, "--limit", "2", "--artifact", path]);
if (made.code !== 0) throw new Error(made.stderr);
const artifact = await readArtifact(path);
const question = JSON.stringify({ question: "Who pays for it?", history: [] });

const fields = Object.entries(notesGuided.program.predictors).flatMap(([predictor, declared]) =>
  (["input", "output"] as const).flatMap((side) =>
    Object.keys(declared.signature[side])
      // Declared by `reason()`, not by the signature.
      .filter((field) => field !== "reasoning")
      .map((field) => ({ predictor, side, field })),
  ),
);

describe("the artifact of the notes-guided retriever", () => {
  test("is loaded by its program, and by the same program declared again", () => {
    expect(programDrift(artifact, notesGuided.program)).toEqual([]);
    expect(programDrift(artifact, changedNotesGuided())).toEqual([]);
    expect(fields).toHaveLength(15);
  });

  test.each(fields)(
    "is refused where $side $field of $predictor changed, and that field alone is named",
    async (changed) => {
      const { predictor, side, field } = changed;
      const of = `${side} "${field}" of predictor "${predictor}"`;
      for (const change of ["description", "type"] as const) {
        const { code, report } = await refusal({ ...changed, change });
        expect(code).toBe("artifact-drifted");
        expect(report.problem).toMatch(
          /^The program differs from the compiled one: [^;]* (?:has .* instead of|was|gained|lost) /,
        );
        expect(report.problem).toContain(`${of} `);
        expect(report.problem).not.toMatch(/\b[0-9a-f]{12}\b/);
      }
      const { code, report } = await refusal({ ...changed, change: "name" });
      expect(code).toBe("artifact-drifted");
      expect(report.problem).toContain(`${of} is gone (`);
      expect(report.problem).toContain(
        `${side} "${renamed(field)}" of predictor "${predictor}" is new (`,
      );
      expect(report.problem.split("; ")).toHaveLength(2);
    },
  );

  test("is refused by another program, whose name is said", async () => {
    const { code, report } = await thrownBy(() => loadArtifact(artifact, answerer));
    expect(code).toBe("artifact-drifted");
    expect(report.problem).toContain(
      'name of the program was "notes-guided-retrieval" and is "answerer"',
    );
  });
});

describe("espalier run and show with the artifact of the notes-guided retriever", () => {
  test.each(["name", "description", "type"] as const)(
    "refuse a program with one changed field: its %s",
    async (change) => {
      const program = await programFile({
        predictor: "generateQueries",
        side: "input",
        field: "notes",
        change,
      });
      const results = await Promise.all([
        runMain(["run", path, "--study", program, "--input", question]),
        runMain(["show", path, "--predictor", "buildNotes", "--study", program, "--input", "{}"]),
      ]);
      for (const { code, stdout, stderr } of results) {
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr.replaceAll(/\b[0-9a-f]{12}\b/g, "(hash)")).toMatchSnapshot();
      }
    },
  );

  test("run the program that was compiled", async () => {
    const { code, stdout } = await runMain(["run", path, "--trust-module", "--input", question]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ passages: { length: 10 } });
  });

  test("refuse another program", async () => {
    const towns = "test/cli/fixtures/towns.ts";
    const { code, stdout, stderr } = await runMain([
      "run",
      path,
      "--study",
      towns,
      "--input",
      question,
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.replaceAll(/\b[0-9a-f]{12}\b/g, "(hash)")).toMatchSnapshot();
  });
});

function refusal(changed: ChangedField) {
  return thrownBy(() => loadArtifact(artifact, changedNotesGuided(changed)));
}

/** A file that exports the changed program, as an edited one would. */
async function programFile(changed: ChangedField): Promise<string> {
  const file = join(folder.path, `${changed.change}.ts`);
  const source = resolve(import.meta.dirname, "support/changed-notes-guided.ts");
  await writeFile(
    file,
    `import { changedNotesGuided } from ${JSON.stringify(source)};
export const changed = changedNotesGuided(${JSON.stringify(changed)});\n`,
  );
  return file;
}
