import type { LanguageModel } from "../../../../src/contract/index.ts";
import { randomSource } from "../../../../src/internal/index.ts";
import { taskRequest } from "./prompts.ts";

export interface TalkCase {
  readonly question: string;
  /** `speaker: text` lines before the question. */
  readonly history: string;
  /** Id of the one passage that answers. */
  readonly gold: string;
}

export interface RetrievalTask {
  readonly passages: readonly { readonly id: string; readonly text: string }[];
  readonly cases: readonly TalkCase[];
}

const kinds = ["ferry", "library", "bakery", "harbour permit", "orchestra", "quarry"];

const facets: readonly { readonly ask: string; readonly fact: string }[] = [
  {
    ask: "How much does it cost?",
    fact: "The price is charged per person and paid on arrival; it costs",
  },
  {
    ask: "When was it founded?",
    fact: "It was founded by local families, and the year it was founded is",
  },
  { ask: "Who is in charge of it?", fact: "The person in charge, elected by members, is" },
  { ask: "How far is it from the coast?", fact: "From the coast the distance is short, as far as" },
  { ask: "Which language is spoken there?", fact: "The language spoken by all who are there is" },
  { ask: "Does it need volunteers?", fact: "Volunteers are needed from spring on, and ask for" },
  { ask: "Why was it closed once?", fact: "It was closed once because of a storm named" },
  {
    ask: "What are its opening hours?",
    fact: "Opening hours differ by season, and the opening bell rings at",
  },
];

/**
 * Invented places with invented services. A question names its service only by a pronoun, so that
 * the passages of all services on the same facet are distractors; which service is meant stands in
 * the turns before. A quarter of the questions need nothing of the talk.
 */
export function retrievalTask(seed = 7, size = 48): RetrievalTask {
  const random = randomSource(seed, "talks");
  const name = (): string => {
    const parts = [
      "vel",
      "mor",
      "tar",
      "quin",
      "sel",
      "dro",
      "fen",
      "ax",
      "ri",
      "ul",
      "bo",
      "kesh",
    ];
    const word = Array.from({ length: 3 }, () => random.choice(parts)).join("");
    return word.charAt(0).toUpperCase() + word.slice(1);
  };
  const places = [...new Set(Array.from({ length: size }, name))];
  const passages = places.flatMap((place, index) => {
    const kind = kinds[index % kinds.length] ?? "";
    return facets.map(({ fact }, facet) => ({
      id: `${place}/${facet}`,
      text: `${place} ${kind}\n${fact} ${name()} ${random.below(90) + 10}.`,
    }));
  });
  const cases = places.map((place, index): TalkCase => {
    const kind = kinds[index % kinds.length] ?? "";
    const facet = index % facets.length;
    const ask = facets[facet]?.ask ?? "";
    const other = places[(index + 5) % places.length] ?? "";
    const isWhole = index % 4 === 3;
    const subject = isWhole ? other : place;
    return {
      question: isWhole ? ask.replace(/\bits?\b/, `the ${place} ${kind}`) : ask,
      history: [
        `user: I would like to know more about the ${subject} ${kind}.`,
        `assistant: The ${subject} ${kind} is well known in the valley. People travel far to see it.`,
        "user: Is it still in use?",
        `assistant: Yes, the ${subject} ${kind} has many visitors every week.`,
      ].join("\n"),
      gold: `${place}/${facet}`,
    };
  });
  return { passages, cases };
}

/** Share of cases whose gold passage is among the best `k` for the query that the LM writes. */
export async function recallOf(
  lm: LanguageModel,
  instruction: string,
  { passages, cases }: RetrievalTask,
  k = 3,
): Promise<number> {
  const search = index(passages);
  let hits = 0;
  for (const talk of cases) {
    const reply = await lm.doGenerate(queryRequest(instruction, talk));
    const { query } = JSON.parse(reply.content ?? "{}") as { query: string };
    if (search(query).slice(0, k).includes(talk.gold)) hits += 1;
  }
  return hits / cases.length;
}

export function queryRequest(
  instruction: string,
  { question, history }: TalkCase,
): ReturnType<typeof taskRequest> {
  return taskRequest({
    instruction,
    inputs: [
      ["Question", "What the user asks now.", question],
      ["History", "The turns before, oldest first.", history],
    ],
    properties: {
      query: { type: "string", description: "Query for the search engine.", maxLength: 400 },
    },
  });
}

/** Plain inverse-document-frequency overlap, ties by position: shares no code with the LM. */
function index(passages: RetrievalTask["passages"]): (query: string) => readonly string[] {
  const tokens = (text: string): Set<string> =>
    new Set((text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/s$/, "")));
  const held = passages.map(({ id, text }) => ({ id, words: tokens(text) }));
  const frequency = new Map<string, number>();
  for (const { words } of held) {
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return (query) => {
    const asked = [...tokens(query)];
    const scored = held.map(({ id, words }) => {
      const shared = asked.filter((word) => words.has(word));
      const weight = shared.reduce(
        (sum, word) => sum + Math.log(held.length / (frequency.get(word) ?? 1)),
        0,
      );
      // A long query is diluted, as dense retrieval would dilute it.
      return { id, score: weight / Math.sqrt(Math.max(6, asked.length)) };
    });
    return scored.toSorted((left, right) => right.score - left.score).map(({ id }) => id);
  };
}
