import { describe, expect, test } from "vitest";
import { autoSearch, planOptimization } from "espalier/optimizer";
import { loadedStudy } from "./support/loaded-study.ts";
import { studyFiles } from "./support/study-files.ts";

test("there is a study of each system", () => {
  const names = studyFiles.map(([name]) => name).join(" ");
  for (const system of ["r2rag", "notes-guided", "hanrag", "ails-ntua"]) {
    expect(names).toContain(system);
  }
});

describe.each(studyFiles)("the study %s", (name, path) => {
  test("has its file's name, and examples in every split, each in one split only", async () => {
    const { name: declared, trainset } = await loadedStudy(path);
    expect(declared).toBe(name);
    const { train, val, test: held } = trainset.splits;
    expect(Math.min(train.length, val.length, held.length)).toBeGreaterThanOrEqual(20);
    const clusters = [train, val, held].map(
      (split) => new Set(split.map(({ cluster, id }) => cluster ?? id)),
    );
    expect(clusters.reduce((sum, { size }) => sum + size, 0)).toBe(
      new Set(clusters.flatMap((each) => [...each])).size,
    );
  });

  test("has a budget of its own that allows several proposals, and gives no warning", async () => {
    const study = await loadedStudy(path);
    const { optimizer = autoSearch() } = study;
    const plan = planOptimization(study, { optimizer });
    expect(plan.warnings).toEqual([]);
    expect(plan.proposals).toBeGreaterThanOrEqual(3);
  });
});
