import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { corpus } from "../../src/retrieval/index.ts";
import type { QuestionSetName, QuestionSetOptions } from "../../trainsets/multi-hop/index.ts";
import { questionSet } from "../../trainsets/multi-hop/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

/** Of our own writing, in the layouts and under the names of the publishers. */
const published = join(import.meta.dirname, "fixtures/published");

async function loaded(
  set: QuestionSetName,
  folder: string,
  options: Partial<QuestionSetOptions> = {},
) {
  const notes: string[] = [];
  const { trainset, corpus: searched } = await questionSet({
    set,
    folder: join(published, folder),
    note: (sentence) => notes.push(sentence.replaceAll(published, "")),
    ...options,
  });
  const byId = new Map(searched?.passages.map((passage) => [passage.id, passage]));
  const questions = trainset.splits.test.map(({ id, cluster, input, labels }) => ({
    id,
    cluster,
    question: input.question,
    ...labels,
    relevant: Object.keys(labels.relevant).map((passage) => byId.get(passage)?.text),
    decomposition: labels.decomposition.map(({ passageId = "", ...step }) => ({
      ...step,
      found: byId.get(passageId)?.title,
    })),
  }));
  return { splits: trainset.splits, questions, passages: searched?.passages, notes };
}

describe("HotpotQA as published", () => {
  test("sentences become paragraphs, and supporting facts say which are needed", async () => {
    const { questions, passages, notes } = await loaded("hotpotqa", "hotpot");
    expect(questions).toMatchObject([
      {
        id: "5a00",
        question: "Where was the designer of the Ostrel Bridge born?",
        answers: ["Tarn"],
        questionType: "bridge",
        hops: "2",
        route: "complex",
        relevant: [
          "The Ostrel Bridge crosses the Lune. It was designed by Mira Holt.",
          "Mira Holt was an engineer. She was born in Tarn in 1871.",
        ],
        decomposition: [],
      },
      { id: "5a01", answers: ["no"], questionType: "comparison", hops: "2" },
    ]);
    expect(passages?.map(({ title }) => title).toSorted()).toEqual([
      "Lune (river)",
      "Mira Holt",
      "Ostrel Bridge",
      "Tarn",
    ]);
    expect(notes[0]).toMatch(/distractor.* is read, not .*fullwiki/);
  });

  test("every third question of the training file is val", async () => {
    const { splits } = await loaded("hotpotqa", "hotpot");
    expect(splits.val.map(({ id }) => id)).toEqual(["5b00", "5b03"]);
    expect(splits.train.map(({ id }) => id)).toEqual(["5b01", "5b02", "5b04", "5b05"]);
  });

  test("a sample is drawn by the ids alone, and said to be one", async () => {
    const { splits, notes, passages } = await loaded("hotpotqa", "hotpot", { sample: 3 });
    expect([splits.train.length, splits.val.length, splits.test.length]).toEqual([2, 1, 2]);
    expect(notes.join("\n")).toMatch(/3 of 6 questions in .*train.* are not in the sample/);
    expect(passages).toHaveLength(4);
    const again = await loaded("hotpotqa", "hotpot", { sample: 3 });
    expect(again.splits).toEqual(splits);
  });

  test("the fullwiki file: what its context lacks is found in a collection by its title, or counted", async () => {
    await using folder = await temporaryFolder();
    const name = "hotpot_dev_fullwiki_v1.json";
    await cp(join(published, "hotpot", name), join(folder.path, name));
    const alone = await loaded("hotpotqa", "", { folder: folder.path });
    expect(alone.questions[0]?.relevant).toHaveLength(1);
    expect(alone.notes.join("\n")).toMatch(/1 of 1 questions in .* need a paragraph that neither/);
    const given = corpus([
      { id: "w1", title: "Mira Holt", text: "Mira Holt, an engineer, was born in Tarn." },
      {
        id: "w2",
        title: "Ostrel Bridge",
        text: "The Ostrel Bridge crosses the Lune. It was designed by Mira Holt.",
      },
    ]);
    const { splits } = await loaded("hotpotqa", "", { folder: folder.path, corpus: given });
    expect(splits.test[0]?.labels.relevant).toEqual({ w1: 1, w2: 1 });
  });

  test("a leaderboard's file without answers is an error", async () => {
    await using folder = await temporaryFolder();
    const name = "hotpot_test_fullwiki_v1.json";
    await cp(join(published, "hotpot", name), join(folder.path, name));
    const { code, message } = await thrownBy(() => loaded("hotpotqa", "", { folder: folder.path }));
    expect([code, message]).toEqual(["dataset-invalid", expect.stringContaining(name)]);
  });
});

test("2WikiMultihopQA as published: evidence triples are the steps, aliases are answers", async () => {
  const { questions, notes } = await loaded("2wikimultihopqa", "2wiki");
  expect(questions).toMatchObject([
    {
      answers: ["October 1871", "Oct. 1871"],
      questionType: "bridge_comparison",
      hops: "2",
      relevant: [
        "The Ostrel Bridge crosses the Lune. It was designed by Mira Holt.",
        "Mira Holt was an engineer. She was born in October 1871.",
      ],
      decomposition: [
        { question: "Ostrel Bridge >> designer", answer: "Mira Holt", found: "Ostrel Bridge" },
        { question: "Mira Holt >> date of birth", answer: "October 1871", found: "Mira Holt" },
      ],
    },
  ]);
  expect(notes).toEqual([
    '2wikimultihopqa: there is no training file: all questions are in test. To optimize, set `withoutTrain: "deal"`.',
  ]);
});

describe("MuSiQue as published", () => {
  test("earlier answers are filled into later steps, and aliases are answers", async () => {
    const { questions } = await loaded("musique", "musique");
    expect(questions).toMatchObject([
      {
        answers: ["Tarn", "Tarn-on-Sea"],
        questionType: "2hop",
        hops: "2",
        decomposition: [
          { question: "Ostrel Bridge >> designer", answer: "Mira Holt", found: "Ostrel Bridge" },
          { question: "Where was Mira Holt born?", answer: "Tarn", found: "Mira Holt" },
        ],
      },
    ]);
  });

  test("the full set: the unanswerable twin of a question is left out and counted", async () => {
    await using folder = await temporaryFolder();
    const name = "musique_full_v1.0_dev.jsonl";
    await cp(join(published, "musique", name), join(folder.path, name));
    const { questions, notes } = await loaded("musique", "", { folder: folder.path });
    expect(questions).toHaveLength(1);
    expect(notes[0]).toMatch(/1 of 2 questions in .* have no answer/);
  });
});

describe("SQuAD as published", () => {
  test("1.1: each paragraph is a passage, each article a cluster, each spelling counts once", async () => {
    const { questions, passages } = await loaded("squad", "squad");
    expect(questions).toMatchObject([
      {
        id: "56be01",
        cluster: "Ostrel_Bridge",
        question: "Which river does the bridge cross?",
        answers: ["Lune", "The Lune"],
        route: "single-step",
        hops: "1",
        relevant: ["The Lune is crossed by the bridge that Mira Holt designed."],
      },
      { id: "56be03", cluster: "Ostrel_Bridge" },
    ]);
    expect(passages?.map(({ title }) => title)).toEqual(["Ostrel Bridge", "Ostrel Bridge"]);
  });

  test("questions for training about an article of test are left out and counted", async () => {
    await using folder = await temporaryFolder();
    const dev = await readFile(join(published, "squad/dev-v1.1.json"), "utf8");
    await writeFile(join(folder.path, "dev-v1.1.json"), dev);
    const sameArticle = dev.replaceAll("56be", "57be");
    const another = sameArticle.replaceAll("57be", "58be").replace("Ostrel_Bridge", "Tarn_Bridge");
    const articles = [sameArticle, another].flatMap(
      (text) => (JSON.parse(text) as { readonly data: readonly unknown[] }).data,
    );
    await writeFile(join(folder.path, "train-v1.1.json"), JSON.stringify({ data: articles }));
    const { splits, notes } = await loaded("squad", "", { folder: folder.path });
    const kept = [...splits.train, ...splits.val].map(({ id }) => id);
    expect(kept.toSorted()).toEqual(["58be01", "58be03"]);
    expect(notes).toEqual([
      `squad: 2 of 4 questions read from ${join(folder.path, "train-v1.1.json")} share an id or a cluster with test and are left out.`,
    ]);
  });

  test("2.0: an impossible question is left out and counted", async () => {
    await using folder = await temporaryFolder();
    await cp(join(published, "squad/dev-v2.0.json"), join(folder.path, "dev-v2.0.json"));
    const { questions, notes } = await loaded("squad", "", { folder: folder.path });
    expect(questions.map(({ id }) => id)).toEqual(["56be01", "56be03"]);
    expect(notes[0]).toMatch(/1 of 3 questions in .* have no answer/);
  });
});

describe("Natural Questions as published", () => {
  test("NQ-open: answers, and no passages", async () => {
    const { questions, passages } = await loaded("nq", "nq-open");
    expect(passages).toBeUndefined();
    expect(questions.map(({ answers, relevant }) => [answers, relevant])).toEqual([
      [["Lune", "the Lune"], []],
      [["Mira Holt"], []],
    ]);
  });

  test("DPR's sample: all its passages are searched, the annotated one is relevant", async () => {
    const { questions, passages } = await loaded("nq", "nq-dpr");
    expect(passages).toHaveLength(4);
    expect(questions[0]?.relevant).toEqual(["The bridge crosses the Lune"]);
  });

  test("simplified: short answers, or yes or no; a question with neither is left out", async () => {
    const { questions, passages, notes } = await loaded("nq", "nq-full");
    expect(questions).toMatchObject([
      {
        id: "501",
        cluster: "Ostrel Bridge",
        answers: ["Mira Holt"],
        relevant: ["Mira Holt designed it in 1899 ."],
      },
      { id: "502", answers: ["yes"], relevant: ["The bridge crosses the Lune ."] },
    ]);
    expect(passages).toHaveLength(2);
    expect(notes[0]).toMatch(/1 of 3 questions in .* have no answer/);
  });

  test("as first published: every annotator's answer counts", async () => {
    const { questions } = await loaded("nq", "nq-tokens");
    expect(questions).toMatchObject([
      { answers: ["Mira Holt", "Holt"], relevant: ["Mira Holt designed it in 1899 ."] },
    ]);
  });

  test("as first published: all shards of a split are read, and a missing one is told", async () => {
    await using folder = await temporaryFolder();
    const text = await readFile(join(published, "nq-tokens/nq-dev-00.jsonl"), "utf8");
    const id = String((JSON.parse(text) as { readonly example_id: unknown }).example_id);
    for (const [split, number] of [
      ["dev", "00"],
      ["dev", "01"],
      ["dev", "03"],
      ["train", "00"],
      ["train", "01"],
    ] as const) {
      const place = join(folder.path, "v1.0", split);
      await mkdir(place, { recursive: true });
      const own = `${split === "dev" ? 1 : 2}${number}77`;
      const file = join(place, `nq-${split}-${number}.jsonl.gz`);
      await writeFile(file, gzipSync(text.replaceAll(id, own).replaceAll(/Ostrel.Bridge/g, own)));
    }
    const { splits, notes } = await loaded("nq", "", { folder: folder.path });
    expect(splits.test.map((row) => row.id)).toEqual(["10077", "10177", "10377"]);
    expect([...splits.train, ...splits.val].map((row) => row.id).toSorted()).toEqual([
      "20077",
      "20177",
    ]);
    expect(notes.join("\n")).toMatch(/1 shard is missing among .*nq-dev-00.*nq-dev-03/);
    expect(notes.join("\n")).not.toContain("and not");
  });
});

test("TriviaQA as published: aliases are answers, and evidence files are cut into passages", async () => {
  const { questions, passages } = await loaded("triviaqa", "triviaqa-rc");
  expect(questions).toMatchObject([
    { id: "tc_1", answers: ["Mira Holt", "M. Holt"], relevant: [], hops: "" },
  ]);
  expect(passages?.map(({ title, text }) => [title, text.split(" ").length]).toSorted()).toEqual([
    ["Ostrel Bridge", 100],
    ["Ostrel Bridge", 8],
  ]);
});

describe("files of questions", () => {
  test("may be gzipped, and lie in a folder that names set or split", async () => {
    await using folder = await temporaryFolder();
    const text = await readFile(join(published, "hotpot/hotpot_dev_distractor_v1.json"));
    await mkdir(join(folder.path, "HotpotQA/dev"), { recursive: true });
    await writeFile(join(folder.path, "HotpotQA/dev/questions.json.gz"), gzipSync(text));
    const { questions } = await loaded("hotpotqa", "", { folder: folder.path });
    expect(questions.map(({ id }) => id)).toEqual(["5a00", "5a01"]);
  });

  test("of a set of another name are read where they lie alone", async () => {
    await using folder = await temporaryFolder();
    const name = "musique_ans_v1.0_dev.jsonl";
    await cp(join(published, "musique", name), join(folder.path, "chains_v2.jsonl"));
    const { questions, splits } = await loaded("questions", "", { folder: folder.path });
    expect(questions).toMatchObject([{ answers: ["Tarn", "Tarn-on-Sea"], hops: "2" }]);
    expect(splits.train).toEqual([]);
  });

  test.each(["training-data", "train"])(
    "take their split from below the folder, not from its name: %s",
    async (name) => {
      await using parent = await temporaryFolder();
      const folder = join(parent.path, name);
      await mkdir(join(folder, "train"), { recursive: true });
      const rows = await readFile(join(published, "musique/musique_ans_v1.0_dev.jsonl"), "utf8");
      await writeFile(join(folder, "questions.jsonl"), rows);
      const alone = await loaded("questions", "", { folder });
      expect([alone.splits.train.length, alone.splits.test.length]).toEqual([0, 1]);
      const others = await readFile(join(published, "hotpot/hotpot_train_v1.1.json"));
      await writeFile(join(folder, "train/questions.json"), others);
      const { splits, questions } = await loaded("questions", "", { folder });
      expect(questions).toMatchObject([{ hops: "2", answers: ["Tarn", "Tarn-on-Sea"] }]);
      expect(splits.train.length).toBeGreaterThan(0);
    },
  );

  test("are dealt where there is no training file, if that is wanted", async () => {
    await using folder = await temporaryFolder();
    const rows = Array.from({ length: 20 }, (_, index) => ({
      question: `Which river crosses town ${index}?`,
      answer: ["Lune"],
    }));
    const text = rows.map((row) => JSON.stringify(row)).join("\n");
    await writeFile(join(folder.path, "NQ-open.dev.jsonl"), text);
    const { splits } = await loaded("nq", "", { folder: folder.path, withoutTrain: "deal" });
    expect([splits.train.length, splits.val.length, splits.test.length]).toEqual([10, 5, 5]);
  });

  test("that lead out of the evidence folder are not read", async () => {
    await using folder = await temporaryFolder();
    const row = {
      QuestionId: "t1",
      Question: "Who?",
      Answer: { Value: "Ada", Aliases: ["Ada"] },
      EntityPages: [{ Title: "Secret", Filename: "../../secret.txt" }],
    };
    await mkdir(join(folder.path, "evidence/wikipedia"), { recursive: true });
    await writeFile(join(folder.path, "secret.txt"), "A secret.");
    await writeFile(join(folder.path, "triviaqa-dev.json"), JSON.stringify({ Data: [row] }));
    const { passages } = await loaded("triviaqa", "", { folder: folder.path });
    expect(passages).toBeUndefined();
  });

  test.each([
    ["no file of the set", "notes.jsonl", "{}"],
    ["a row of no known layout", "musique_dev.jsonl", '{"query":"Who?","gold":"Ada"}'],
    [
      "a row that lacks a field of its layout",
      "musique_dev.jsonl",
      '{"id":"q1","question":"Who?","paragraphs":[{"idx":0,"title":"Ada"}]}',
    ],
    ["a list that breaks off", "musique_dev.json", '[{"id":"q1","question":"Wh'],
  ])("%s is an error that says where, and what was expected", async (_, name, text) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, name), text);
    const { code, message } = await thrownBy(() => loaded("musique", "", { folder: folder.path }));
    expect(`${code}: ${message.replaceAll(folder.path, "")}`).toMatchSnapshot();
  });
});
