import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { KeptCompletion } from "espalier/serve";
import { openFeedback } from "espalier/serve";
import { feedbackByHand } from "../../support/feedback-by-hand.ts";
import { expect, test } from "vitest";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Message = readonly [speaker: "user" | "assistant", text: string];

const trace = {
  program: "p",
  version: "1",
  input: {},
  notes: {},
  children: [],
  startedAtMs: 0,
  latencyMs: 1,
};

/** A fresh file, and a short way to keep an answer in it. */
async function kept() {
  const folder = await temporaryFolder();
  const path = join(folder.path, "feedback.sqlite");
  const store = openFeedback({ path, isMade: true });
  const file = feedbackByHand(path);
  return {
    path,
    store,
    say: (
      said: readonly Message[],
      who: Partial<Pick<KeptCompletion, "user" | "apiKey" | "conversation">> = {},
    ) => saidIn(file, said, who),
    rate: file.rate,
    bytes: () => readFile(path, "latin1"),
    [Symbol.asyncDispose]: async () => {
      store[Symbol.dispose]();
      file[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/**
 * Keeps the last two of the messages as a question and its answer, and those before as the history.
 */
function saidIn(
  store: ReturnType<typeof feedbackByHand>,
  said: readonly Message[],
  who: Partial<Pick<KeptCompletion, "user" | "apiKey" | "conversation">> = {},
): string {
  const id = randomUUID();
  const [question = "", answer = ""] = said.slice(-2).map(([, text]) => text);
  const history = said.slice(0, -2).map(([speaker, text]) => ({ speaker, text }));
  const model = { model: "towns", version: "declared" };
  store.keep({
    id,
    at: new Date(),
    user: null,
    ...who,
    ...model,
    question,
    history,
    answer,
    trace,
  });
  return id;
}

const question = " Q PRIVATE-ADA ";
const answer = "ANSWER about PRIVATE-ADA \n";
const asked = ["user", question] as const;
const told = ["assistant", answer] as const;
const later = [
  ["user", "and then?"],
  ["assistant", "later"],
] as const;

test.each<[how: string, first: string, history: readonly Message[]]>([
  ["as it came", question, [asked, told]],
  ["answer trimmed", question, [asked, ["assistant", answer.trim()]]],
  ["question trimmed", question, [["user", question.trim()], told]],
  ["a lone surrogate", "Q \ud800 PRIVATE-ADA", [["user", "Q \ud800 PRIVATE-ADA"], told]],
  ["another case", question, [asked, ["assistant", answer.replace("ANSWER", "Answer")]]],
  ["Markdown", question, [asked, ["assistant", `**${answer.trim()}**`]]],
])("erasing a user finds a later turn of nobody's name: %s", async (_how, first, history) => {
  await using work = await kept();
  work.say([["user", first], told], { user: "ada" });
  work.say([...history, ...later]);
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 1 });
  expect(await work.bytes()).not.toContain("PRIVATE-ADA");
});

test.each<[how: string, history: readonly Message[]]>([
  ["a note after the answer", [asked, ["assistant", `${answer}\n\n[1] source`]]],
  ["the short question dropped by a window", [told]],
  ["one letter edited", [asked, ["assistant", answer.replace("ANSWER", "ANSWXR")]]],
  ["another question", [["user", "Q PRIVATE-BOB"], told]],
])(
  "erasing a user finds no text that differs, and no short one alone: %s",
  async (_how, history) => {
    await using work = await kept();
    work.say([asked, told], { user: "ada" });
    work.say([...history, ...later]);
    expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 0 });
  },
);

test("a question or answer of five different words is found alone, unless many were told it", async () => {
  const long = "She kept them in a tin box behind the old loom.";
  for (const others of [0, 2, 3]) {
    await using work = await kept();
    work.say([asked, ["assistant", long]], { user: "ada" });
    for (let other = 0; other < others; other += 1) {
      work.say([
        ["user", `Where, number ${other}?`],
        ["assistant", long],
      ]);
    }
    work.say([["assistant", long.toUpperCase()], ...later]);
    const quoting = others > 2 ? 0 : 1;
    expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting });
  }
});

test("later turns go by their conversation, also where none of them quotes what is erased", async () => {
  await using work = await kept();
  const first = [
    ["user", "Where did Quillfeather keep her letters?"],
    ["assistant", "In a tin box behind the loom."],
  ] as const;
  const second = [
    ["user", "What did her brother write in them?"],
    ["assistant", "That the bridge would never be built."],
  ] as const;
  work.say(first, { user: "ada" });
  work.say([...first, ...second]);
  // A window that holds the last exchange alone.
  work.say([...second, ...later]);
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 2 });
});

test("a client's own id of the conversation goes before what is quoted, within its API key", async () => {
  await using work = await kept();
  const conversation = "c-1";
  work.say(
    [
      ["user", "Hm?"],
      ["assistant", "Yes."],
    ],
    { apiKey: "a", conversation, user: "ada" },
  );
  work.say(
    [
      ["user", "Why?"],
      ["assistant", "So."],
    ],
    { apiKey: "a", conversation },
  );
  work.say(
    [
      ["user", "Why?"],
      ["assistant", "So."],
    ],
    { apiKey: "b", conversation },
  );
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 1 });
});

test("a client that gives the conversations of two users one id has those of one erased alone", async () => {
  await using work = await kept();
  const faq = [
    ["user", "When is the archive of the town open on Mondays?"],
    ["assistant", "From nine to noon, and by appointment in the afternoon."],
  ] as const;
  for (const user of ["ada", "bob"]) {
    work.say(faq, { user, conversation: "1" });
    const own = ["user", `And where, ${user} wonders?`] as const;
    work.say([...faq, own, ["assistant", "At the mill."]], { user, conversation: "1" });
  }
  work.say(
    [
      ["user", "Thanks"],
      ["assistant", "Yes."],
    ],
    { conversation: "1" },
  );
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 2, quoting: 1 });
  expect(await work.bytes()).not.toContain("ada wonders");
  expect(await work.bytes()).toContain("bob wonders");
});

test("two users who go on from one answer of nobody's name keep their own later turns", async () => {
  await using work = await kept();
  const first = [
    ["user", "Where did Quillfeather keep her letters?"],
    ["assistant", "In a tin box behind the loom."],
  ] as const;
  work.say(first);
  for (const user of ["ada", "bob"]) {
    work.say([...first, ["user", `And why, ${user} wonders?`], ["assistant", "So."]], { user });
  }
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 0 });
  expect(await work.bytes()).toContain("bob wonders");
});

test("a user is erased with all API keys, or with the one that is named", async () => {
  await using work = await kept();
  for (const apiKey of ["site", "office", "shop"]) {
    work.say(
      [
        ["user", `Where is the ${apiKey}?`],
        ["assistant", "There."],
      ],
      { user: "ada", apiKey },
    );
  }
  const erased = await runMain(["feedback", "erase", work.path, "--user", "ada", "--key", "site"]);
  expect(erased.stdout).toContain("1 erased, and 0 ");
  expect(await work.bytes()).not.toContain("Where is the site");
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 2, quoting: 0 });
  const unclear = await runMain(["feedback", "erase", work.path, "--id", "x", "--key", "site"]);
  expect(unclear.code).toBe(2);
});

test("common texts tie nobody together", async () => {
  await using work = await kept();
  const greeting = [
    ["user", "Hello there"],
    ["assistant", "Hello! How can I help you with the archive today?"],
  ] as const;
  const unknown = ["assistant", "I do not know."] as const;
  const people = ["ada", "bob", "cleo", "dan", "eve"];
  for (const name of people) {
    const own = [["user", `Where does ${name} find the register of the year?`], unknown] as const;
    work.say(greeting);
    work.say([...greeting, ...own], { user: name });
    work.say([...greeting, ...own, ["user", "Thanks."], ["assistant", "You are welcome."]]);
  }
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 1 });
  expect(await work.bytes()).toContain("Where does bob find");
});

test("an exchange that many have leaves the conversation to those before it", async () => {
  await using work = await kept();
  const thanks = [
    ["user", "Thanks!"],
    ["assistant", "You are welcome."],
  ] as const;
  const asked = {
    ada: [
      ["user", "Where is the archive of the keepers in Norvik?"],
      ["assistant", "In the cellar of the town hall."],
    ],
    bob: [
      ["user", "Which ferry sails from Selby on Sunday mornings?"],
      ["assistant", "The one of Captain Moss sails at nine."],
    ],
  } as const;
  const ids = Object.values(asked).map((first) => {
    work.say(first);
    const id = work.say([...first, ...thanks]);
    work.say([...first, ...thanks, ["user", "And then?"], ["assistant", `After ${first[1][1]}`]]);
    return id;
  });
  // Ada's last turn goes; Bob's holds the same thanks, and stays his.
  expect(work.store.erase({ id: ids[0] ?? "" })).toEqual({ completions: 1, quoting: 1 });
  expect(await work.bytes()).toContain("After The one of Captain Moss");
});

test("two who were told the same keep their own later turns", async () => {
  await using work = await kept();
  const faq = [
    ["user", "When is the archive of the town open on Mondays?"],
    ["assistant", "From nine to noon, and by appointment in the afternoon."],
  ] as const;
  for (const user of ["ada", "bob"]) {
    work.say(faq, { user });
    work.say([...faq, ["user", `And where, ${user} wonders?`], ["assistant", "At the mill."]], {
      user,
    });
  }
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 2, quoting: 0 });
  expect(await work.bytes()).toContain("bob wonders");
});

test("conversations of two API keys are two, and a copied text is erased from both", async () => {
  await using work = await kept();
  const first = [
    ["user", "Where did Quillfeather keep her letters?"],
    ["assistant", "In a tin box behind the loom."],
  ] as const;
  work.say(first, { apiKey: "a", user: "ada" });
  const copied = work.say([...first, ...later], { apiKey: "b" });
  const apart = work.say([...later, ["user", "Hm?"], ["assistant", "No."]], { apiKey: "b" });
  for (const id of [copied, apart]) {
    work.rate(id, { rating: "up", comment: null, correction: null }, { apiKey: "b", user: null });
  }
  const conversations = [...work.store.rated()].map((row) => row.conversation);
  expect(new Set(conversations).size).toBe(1);
  expect(work.store.erase({ user: "ada" })).toEqual({ completions: 1, quoting: 1 });
});

test("the index of texts is erased with its row", async () => {
  await using work = await kept();
  const id = work.say([asked, told], { user: "ada" });
  using database = new DatabaseSync(work.path);
  const count = (table: string): unknown =>
    Object.values(database.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0];
  expect(count("said")).toBe(1);
  work.store.erase({ id });
  for (const table of ["completions", "turns", "said", "tallies"]) expect(count(table)).toBe(0);
});

test("to find the conversation costs as much with many answers as with few", async () => {
  await using work = await kept();
  const cpuMs = (): number => {
    const before = process.threadCpuUsage();
    for (let time = 0; time < 20; time += 1) work.say([asked, told, ...later]);
    return process.threadCpuUsage(before).user / 1_000;
  };
  work.say([asked, told]);
  cpuMs();
  const few = cpuMs();
  using database = new DatabaseSync(work.path);
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    INSERT INTO completions SELECT i, i, 0, NULL, 'towns', 'v', 'q', '[]', 'a', '{}' FROM n;
    INSERT INTO turns SELECT number, NULL, number FROM completions WHERE number >= 1000;
    INSERT INTO said SELECT number * 7919, number FROM completions WHERE number >= 1000;
  `);
  // A scan would cost hundreds of times as much.
  expect(cpuMs()).toBeLessThan(10 * Math.max(few, 5));
});

test("to find the conversation costs as much where many answers of others say the same as where few do", async () => {
  await using work = await kept();
  const said = [asked, told, ...later] as const;
  const cpuMs = (): number => {
    const before = process.threadCpuUsage();
    for (let time = 0; time < 20; time += 1) work.say(said);
    return process.threadCpuUsage(before).user / 1_000;
  };
  work.say([asked, told]);
  cpuMs();
  const few = cpuMs();
  using database = new DatabaseSync(work.path);
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 80000)
    INSERT INTO completions SELECT i, i, 0, NULL, 'towns', 'v', 'q', '[]', 'a', '{}' FROM n;
    INSERT INTO turns SELECT number, 'another key', number FROM completions WHERE number >= 1000;
    INSERT INTO said SELECT hash, number FROM completions,
      (SELECT hash FROM said WHERE completion = 1) WHERE number >= 1000;
  `);
  expect(cpuMs()).toBeLessThan(10 * Math.max(few, 5));
});

test.each(["{bad", "null", '[{"speaker":"__proto__","text":1}]'])(
  "an answer whose conversation no server wrote is named, and can be erased: %s",
  async (history) => {
    await using file = await kept();
    const id = file.say([
      ["user", "Where is the harbour of Elmond?"],
      ["assistant", "In the north of the town."],
    ]);
    file.rate(id, { rating: "up", comment: null, correction: null });
    {
      using other = new DatabaseSync(file.path);
      other.prepare("UPDATE completions SET history = ?").run(history);
    }
    expect(() => [...file.store.rated()]).toThrow(
      expect.objectContaining({ code: "feedback-unusable" }) as Error,
    );
    expect(() => [...file.store.rated()]).toThrow(id);
    expect(file.store.rolloutKeysOf({ id })).toHaveLength(1);
    expect(file.store.erase({ id })).toMatchObject({ completions: 1 });
  },
);
