import { randomSource } from "../../src/internal/index.ts";

/**
 * A question on an invented town, with three passages; in one case of five none of them answers.
 */
export interface TownQuestion {
  readonly id: string;
  readonly input: {
    readonly question: string;
    readonly passages: readonly { readonly id: string; readonly text: string }[];
  };
  readonly labels: { readonly answers: readonly string[] };
}

const facts = [
  (town: string, n: number) => [
    `How long is the bridge at ${town}?`,
    `The bridge at ${town} is ${n} metres long.`,
  ],
  (town: string, n: number) => [
    `When was the mill of ${town} built?`,
    `The mill of ${town} was built in ${1500 + n}.`,
  ],
  (town: string, n: number) => [
    `How many bells hang in the church of ${town}?`,
    `In the church of ${town} hang ${n} bells.`,
  ],
  (town: string, n: number) => [
    `Which street of ${town} leads to the harbour?`,
    `Street number ${n} of ${town} leads to the harbour.`,
  ],
] as const;

const rumours = [
  (town: string) => `The river near ${town} freezes in winter.`,
  (town: string) => `The inn of ${town} has nine rooms.`,
  (town: string) => `Visitors of ${town} like the hills.`,
  (town: string) => `The mayor of ${town} keeps bees.`,
] as const;

const starts = ["Ar", "Bris", "Cal", "Dun", "Esk", "Far", "Gan", "Hol", "Iv", "Jar"];
const ends = ["ford", "ton", "wick", "dale", "stead", "mouth", "ham", "by"];

/** The same questions in every run. */
export function townQuestions(count: number): readonly TownQuestion[] {
  return Array.from({ length: count }, (_, index) => {
    const random = randomSource(3, "town-questions", index);
    const town = `${random.choice(starts)}${random.choice(ends)}`;
    const [question = "", fact = ""] = random.choice(facts)(town, 20 + random.below(380));
    const isAnswerable = random.random() < 0.8;
    const [first, ...others] = random.sample(rumours, 3).map((rumour) => rumour(town));
    const texts = random.shuffle([isAnswerable ? fact : first, ...others]);
    return {
      id: `q${index}`,
      input: {
        question,
        passages: texts.map((text, index) => ({ id: `p${index}`, text: text ?? "" })),
      },
      labels: { answers: [isAnswerable ? fact : "I do not know."] },
    };
  });
}

/** The same as a JSONL file. */
export function townQuestionsJsonl(count: number): string {
  return townQuestions(count)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
}
