import { expect, test } from "vitest";
import { rehearsalLm } from "@espalier/rehearsal";
import { evaluate, compare } from "espalier/evaluate";
import { optimize } from "espalier/optimizer";
import { loadedStudy } from "./support/loaded-study.ts";
import { studyFiles } from "./support/study-files.ts";

test.each(["react-research", "text-to-sql"])(
  "the agent of %s gains on test in rehearsal",
  async (name) => {
    const [, path] = studyFiles.find(([each]) => each === name) ?? ["", ""];
    const study = await loadedStudy(path);
    const lm = rehearsalLm();
    const { optimizer } = study;
    const { program, ledger } = await optimize(study, { lm, ...(optimizer && { optimizer }) });
    expect(ledger.byRole.tool?.logical.calls).toBeGreaterThan(0);
    const on = { examples: study.trainset.splits.test, metric: study.objective, lm };
    const before = await evaluate({ ...on, program: study.program });
    const after = await evaluate({ ...on, program });
    const { interval } = compare(before, after);
    expect(interval?.low).toBeGreaterThan(0);
  },
);
