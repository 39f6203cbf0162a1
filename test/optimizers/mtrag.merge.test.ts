import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Passage, Study } from "espalier";
import { evaluate } from "espalier/evaluate";
import { rehearsalLm } from "@espalier/rehearsal";
import { sharedData } from "../support/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { loadedStudy } from "./support/loaded-study.ts";

const data = sharedData("mtrag");
const optimizers = resolve(import.meta.dirname, "../../optimizers");
const laterRelease = resolve(import.meta.dirname, "../trainsets/fixtures/mtrag-later-release");

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function variant(file: string, name: string, folder: string): Promise<Study> {
  vi.spyOn(console, "error").mockReturnValue();
  vi.stubEnv("ESPALIER_MTRAG_DIR", folder);
  const make = (await loadedStudy(join(optimizers, `${file}.ts`))).variants?.[name];
  if (make === undefined) throw new Error(`${file} has no variant ${name}`);
  return make();
}

async function figuresOf({ program, trainset, objective }: Study, count: number) {
  return evaluate({
    program,
    examples: trainset.splits.test.slice(0, count),
    metric: objective,
    lm: rehearsalLm(),
    resamples: 0,
  });
}

describe("studies on MTRAG", () => {
  test.skipIf(data.isAbsent).each([
    ["notes-guided", "mtrag"],
    ["notes-guided", "mtrag-as-authors"],
    ["notes-guided", "mtrag-together"],
    ["notes-guided-task-c", "mtrag"],
    ["notes-guided-harmonic-mean", "mtrag"],
    ["notes-guided-abstention", "mtrag"],
    ["notes-guided-routing", "mtrag"],
    ["notes-guided-joint", "mtrag"],
    ["ails-ntua-task-a", "mtrag"],
    ["ails-ntua-task-a", "mtrag-reranker-alone"],
    ["ails-ntua-alternatives", "mtrag-decomposition"],
    ["ails-ntua-alternatives", "mtrag-question-type"],
    ["ails-ntua-alternatives", "mtrag-informed"],
    ["ails-ntua-alternatives", "mtrag-lm-reranker"],
    ["ails-ntua-task-b", "mtrag"],
    ["ails-ntua-task-c", "mtrag"],
    ["mtrag-baselines", "mtrag-human-rewrite"],
  ])(`%s, %s: runs to its end${data.note}`, async (file, name) => {
    const study = await variant(file, name, data.file);
    expect(study.trainset.splits.test).toHaveLength(200);
    const { counts, rows } = await figuresOf(study, 3);
    expect(counts.unscored).toBe(0);
    // The rehearsal LM quotes whole passages, which the authors' limits on tokens may cut off.
    const codes = new Set(rows.flatMap(({ failure }) => failure?.code ?? []));
    expect([...codes].filter((code) => code !== "output-truncated")).toEqual([]);
  });

  test.skipIf(data.isAbsent)(`the authors' sample is theirs in size${data.note}`, async () => {
    const { train, val } = (await variant("notes-guided", "mtrag-as-authors", data.file)).trainset
      .splits;
    expect([train.length, val.length]).toEqual([29, 19]);
  });
});

describe("the later release, whose collections lie in the folder above", () => {
  const passages = {
    clapnq: ["ferry-1", "ferry-2"],
    ibmcloud: ["vault_00012-7-2197"],
    fiqa: ["20481-0-310"],
    govt: ["a91c-100-870"],
  };

  test.each([
    ["notes-guided", "mtrag"],
    ["ails-ntua-task-a", "mtrag"],
    ["notes-guided-task-c", "mtrag"],
    ["ails-ntua-task-b", "mtrag"],
    ["ails-ntua-task-c", "mtrag"],
  ])("%s: all turns are test, each searched in its own collection", async (file, name) => {
    await using folder = await temporaryFolder();
    await cp(laterRelease, join(folder.path, "un"), { recursive: true });
    await mkdir(join(folder.path, "corpora"));
    for (const [collection, ids] of Object.entries(passages)) {
      const rows = ids.map((_id) =>
        JSON.stringify({ _id, title: collection, text: `About ${_id}.` }),
      );
      await writeFile(join(folder.path, "corpora", `${collection}.jsonl`), rows.join("\n"));
    }
    vi.spyOn(process, "cwd").mockReturnValue(folder.path);
    const study = await variant(file, name, join(folder.path, "un"));
    expect(study.trainset.name).toMatch(/^mtrag-un(-with-passages)?$/);
    expect(study.trainset.splits.test).toHaveLength(7);
    const { rows, counts } = await figuresOf(study, 7);
    expect(counts).toMatchObject({ unscored: 0 });
    const own: Readonly<Record<string, readonly string[]>> = {
      ...passages,
      cloud: passages.ibmcloud,
    };
    for (const [index, { output }] of rows.entries()) {
      const example = study.trainset.splits.test[index];
      const { collection = "" } = { ...(example?.labels as { readonly collection?: string }) };
      const found = (output as { readonly passages?: readonly Passage[] } | undefined)?.passages;
      for (const { id } of found ?? []) expect(own[collection]).toContain(id);
    }
  });

  test("a collection of its own may lie beside the release, and the others in the folder above", async () => {
    await using folder = await temporaryFolder();
    const release = join(folder.path, "mtragun-human");
    await mkdir(join(release, "generation_tasks"), { recursive: true });
    const row = {
      task_id: "loan<::>1",
      conversation_id: "loan",
      Collection: "banking",
      input: [{ speaker: "user", text: "How do I repay a loan early?" }],
      targets: [{ text: "Call us." }],
      contexts: [{ document_id: "bank-1" }],
      answerability: ["ANSWERABLE"],
    };
    await writeFile(join(release, "generation_tasks/reference.jsonl"), JSON.stringify(row));
    const write = async (place: string, name: string, _id: string) => {
      await mkdir(place, { recursive: true });
      const passage = { _id, title: "", text: "To repay a loan early, call us." };
      await writeFile(join(place, `${name}.jsonl`), JSON.stringify(passage));
    };
    const shared = join(folder.path, "corpora/passage_level");
    for (const name of ["clapnq", "cloud", "fiqa", "govt"]) await write(shared, name, `${name}-1`);
    await write(join(release, "corpora/passage_level"), "banking", "bank-1");
    vi.spyOn(process, "cwd").mockReturnValue(folder.path);
    const study = await variant("notes-guided", "mtrag", release);
    const { rows } = await figuresOf(study, 1);
    expect(rows[0]?.output).toMatchObject({ passages: [{ id: "bank-1" }] });
  });
});
