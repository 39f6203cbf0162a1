import { join, resolve } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Example } from "espalier";
import taskA from "../../../optimizers/ails-ntua-task-a.ts";
import hanrag from "../../../optimizers/hanrag.ts";
import { conversationBreakdowns } from "../../../optimizers/experiments/support/conversation-breakdowns.ts";
import { withVariants } from "../../../optimizers/experiments/support/with-variants.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";
import { runMain } from "../../support/run-main.ts";
import { sharedData } from "../../support/shared-data.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tableIn } from "./support.ts";

const folder = resolve("optimizers/experiments");
const mtrag = sharedData("mtrag");

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["hanrag-question-sets", "musique", "ESPALIER_MULTIHOP_DIR"],
  ["notes-guided-task-c", "mtrag", "ESPALIER_MTRAG_DIR"],
  ["notes-guided-harmonic-mean", "mtrag", "ESPALIER_MTRAG_DIR"],
  ["mtrag-baselines", "mtrag", "ESPALIER_MTRAG_DIR"],
  ["ails-ntua-task-a", "mtrag", "ESPALIER_MTRAG_DIR"],
  ["ails-ntua-alternatives", "mtrag", "ESPALIER_MTRAG_DIR"],
  ["ails-ntua-task-b", "mtrag", "ESPALIER_MTRAG_DIR"],
  ["ails-ntua-task-c", "mtrag", "ESPALIER_MTRAG_DIR"],
])("%s on %s without the data names the variable %s", async (name, trainset, variable) => {
  vi.stubEnv(variable, "");
  const { code, stderr } = await runMain([
    "experiment",
    join(folder, `${name}.ts`),
    "--rehearsal",
    "--trainset",
    trainset,
  ]);
  expect(code).not.toBe(0);
  expect(stderr).toContain(`${variable} is not set`);
  expect(stderr).toContain(`${variable}=FOLDER`);
});

test.skipIf(mtrag.isAbsent)(
  `a table on MTRAG runs every row on the same turns${mtrag.note}`,
  async () => {
    vi.stubEnv("ESPALIER_MTRAG_DIR", mtrag.file);
    await using place = await temporaryFolder();
    const run = join(place.path, "run");
    const file = join(folder, "mtrag-baselines.ts");
    const { code } = await runMain([
      "experiment",
      file,
      "--rehearsal",
      "--trainset",
      "mtrag",
      "--sample",
      "12",
      "--run",
      run,
    ]);
    expect(code).toBe(0);
    const { rows, breakdowns } = await tableIn(run);
    for (const { figures } of rows.slice(1)) {
      expect(figures[0]?.difference?.examples).toBeGreaterThan(0);
    }
    const standalone = breakdowns.find(({ name }) => name === "standalone");
    expect(new Set(standalone?.groups.map(({ group }) => group))).toEqual(
      new Set(["dependent", "standalone"]),
    );
  },
);

describe("withVariants", () => {
  test("gives the study's variants with a suffix, by their names without it", async () => {
    const made = await hanrag(rehearsalParts());
    const { trainset, variants = {} } = await withVariants(hanrag, "oracle")(rehearsalParts());
    expect(Object.keys(variants).toSorted()).toEqual(
      Object.keys(made.variants ?? {})
        .filter((name) => !name.endsWith("-oracle"))
        .toSorted(),
    );
    expect(trainset.splits.test.map(({ input }) => input)).toEqual(
      made.trainset.splits.test.map(({ input, labels }) => ({
        ...(input as object),
        route: (labels as { readonly route: string }).route,
      })),
    );
  });

  test("has what the table on MTRAG needs besides the study itself", async () => {
    for (const suffix of ["ensemble", "reranker-alone", "top-100", "ensemble-100", "rewriters-2"]) {
      const { variants = {} } = await withVariants(taskA, suffix)(rehearsalParts());
      expect(Object.keys(variants)).toEqual(["mtrag"]);
    }
  });

  test("refuses a suffix without a variant on four shelves", async () => {
    await expect(withVariants(hanrag, "unknown")(rehearsalParts())).rejects.toThrow(
      "four-shelves-unknown",
    );
  });
});

test.each([
  [[], {}, "standalone"],
  [["before"], { standalone: "How?" }, "standalone"],
  [["before"], { standalone: "How does it freeze?" }, "dependent"],
  [["before"], {}, "unknown"],
  // The set itself knows better.
  [["before"], { standalone: "How?", dependence: "dependent" }, "dependent"],
])("after turns %j, a question with labels %j is %s", (turns, labels, group) => {
  const by = conversationBreakdowns.find(({ name }) => name === "standalone")?.by;
  const example: Example = {
    id: "1",
    input: { question: "How?", history: turns.map((text) => ({ speaker: "user", text })) },
    labels,
  };
  const score = { kind: "scored", value: 1, feedback: "" } as const;
  expect(typeof by === "function" ? by({ example, score }) : by).toBe(group);
});
