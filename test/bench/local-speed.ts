/**
 * Measures a small trained model inside the process beside servers of the same model: llama.cpp's
 * own and vLLM. All are sent the same calls, one of them at a time, by turns: questions of
 * `trainsets/question-types` as the program of `optimizers/question-types.ts` asks them, held to
 * JSON, and texts of up to 64 tokens. Each round has questions of its own, so that prefix caches
 * hold what calls share and no more. Ratios are taken within a round.
 */
import type { LanguageModel } from "espalier";
import { connectLocal } from "../../packages/local/src/index.ts";
import questionTypes from "../../optimizers/question-types.ts";
import { refuse, scriptOptions } from "../../scripts/support/script-options.ts";
import type { LmUsage } from "../../src/contract/index.ts";
import { defaultSampling } from "../../src/contract/index.ts";
import { connect, serverInfo } from "../../src/lm/index.ts";
import { cpuSecondsOf } from "./local-speed/cpu-of.ts";
import { report } from "./support/bench-options.ts";
import { cpuMsSince, measure, median } from "./support/measure.ts";

const help = {
  command: "npm run bench:local-speed",
  about: "Measures a trained model in this process beside llama.cpp's server and vLLM.",
  options: {
    json: { about: "Also print the figures as a last line of JSON" },
    model: { about: "Model in this process", value: "NAME", preset: "smollm2-135m" },
    llama: { about: "Base URLs of llama.cpp's server, of the same file", value: "URL,..." },
    vllm: { about: "Base URLs of vLLM, of the same model", value: "URL,..." },
    questions: { about: "Questions of each round", value: "N", preset: "48" },
    texts: { about: "Texts of each round", value: "N", preset: "12" },
    rounds: { about: "Rounds; medians are shown", value: "N", preset: "4" },
    "in-flight": { about: "Calls at a time", value: "N", preset: "4" },
  },
};
const { values: given, flags } = scriptOptions(help);
const [questions, texts, rounds, inFlight] = [
  given.questions,
  given.texts,
  given.rounds,
  given["in-flight"],
].map(Number) as [number, number, number, number];

const { program, trainset } = await questionTypes();
const { train, val, test } = trainset.splits;
const examples = [...train, ...val, ...test];
/** Before the first round, all start and read what prompts share. */
const warmUp = 8;
const needed = warmUp + rounds * Math.max(questions, texts);
if (needed > examples.length) {
  refuse(`${rounds} rounds need ${needed} questions, there are ${examples.length}.`, help);
}

interface Arm extends AsyncDisposable {
  readonly name: string;
  readonly lm: LanguageModel;
  /** So far; `null` if not known. */
  readonly cpuSeconds: () => number | null;
}

/** What some calls cost. */
interface Cost {
  /** Of wall clock. */
  readonly seconds: number;
  readonly cpuSeconds: number | null;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** What one arm did in one round. */
interface Turn {
  readonly questions: Cost;
  readonly texts: Cost;
  readonly answers: readonly string[];
  readonly written: readonly string[];
  readonly right: number;
}

await using stack = new AsyncDisposableStack();
const arms: Arm[] = [];
for (const arm of [await local(), ...(await servers("llama")), ...(await servers("vllm"))]) {
  arms.push(stack.use(arm));
}
for (const arm of arms) await turn(arm, { first: 0, questions: warmUp, texts: 2 });
const turns = new Map(arms.map(({ name }): [string, Turn[]] => [name, []]));
for (let round = 0; round < rounds; round++) {
  const first = warmUp + round * Math.max(questions, texts);
  // Other load on the machine that comes and goes meets another arm first in each round.
  const by = round % arms.length;
  for (const arm of [...arms.slice(by), ...arms.slice(0, by)]) {
    turns.get(arm.name)!.push(await turn(arm, { first, questions, texts }));
  }
  console.error(`round ${round + 1} of ${rounds}`);
}

const base = turns.get(arms[0]!.name)!;
const figures = [...turns].map(([name, all]) => {
  const each = (value: (one: Turn) => number): number => median(all.map(value));
  const ratio = (pace: (one: Turn) => number): number =>
    median(all.map((one, round) => pace(one) / pace(base[round]!)));
  const same = (of: (one: Turn) => readonly string[]): number => {
    const equal = all.flatMap((one, round) =>
      of(one).map((text, index) => text === of(base[round]!)[index]),
    );
    return equal.filter(Boolean).length / equal.length;
  };
  const callPace = ({ questions: { seconds } }: Turn): number => questions / seconds;
  const tokenPace = ({ texts: { completionTokens, seconds } }: Turn): number =>
    completionTokens / seconds;
  const isCpuKnown = all.every(({ questions: { cpuSeconds } }) => cpuSeconds !== null);
  return {
    name,
    callsPerSecond: each(callPace),
    callsRatio: ratio(callPace),
    promptTokensPerSecond: each(({ questions: cost }) => cost.promptTokens / cost.seconds),
    cachedShare: each(({ questions: cost }) => cost.cachedTokens / cost.promptTokens),
    tokensPerAnswer: each(({ questions: cost }) => cost.completionTokens / questions),
    textTokensPerSecond: each(tokenPace),
    textTokensRatio: ratio(tokenPace),
    cpuMsPerCall: isCpuKnown ? each((one) => (1000 * one.questions.cpuSeconds!) / questions) : null,
    cpuMsPerTextToken: isCpuKnown
      ? each(({ texts: cost }) => (1000 * cost.cpuSeconds!) / cost.completionTokens)
      : null,
    right: all.reduce((sum, one) => sum + one.right, 0) / (rounds * questions),
    sameAnswers: same(({ answers }) => answers),
    sameTexts: same(({ written }) => written),
  };
});
report(
  flags.has("json"),
  [
    `${rounds} rounds of ${questions} questions and ${texts} texts, ${inFlight} in flight, medians; x: of the first, in the same round`,
    ...figures.flatMap((one) => [
      one.name,
      `  questions  ${one.callsPerSecond.toFixed(2)} a second, ${one.callsRatio.toFixed(2)} x; ${one.promptTokensPerSecond.toFixed(0)} prompt tokens a second, ${(100 * one.cachedShare).toFixed(0)} % cached; ${one.tokensPerAnswer.toFixed(1)} tokens and ${one.cpuMsPerCall?.toFixed(0) ?? "?"} ms of CPU each; ${one.right.toFixed(3)} right, ${one.sameAnswers.toFixed(3)} as the first`,
      `  texts      ${one.textTokensPerSecond.toFixed(1)} tokens a second, ${one.textTokensRatio.toFixed(2)} x; ${one.cpuMsPerTextToken?.toFixed(1) ?? "?"} ms of CPU a token; ${one.sameTexts.toFixed(3)} as the first`,
    ]),
  ].join("\n"),
  { questions, texts, rounds, inFlight, arms: figures, turns: Object.fromEntries(turns) },
);

async function local(): Promise<Arm> {
  const lm = await connectLocal({ model: given.model!, concurrency: inFlight });
  const start = process.cpuUsage();
  return {
    name: "in this process",
    lm,
    cpuSeconds: () => cpuMsSince(start) / 1000,
    [Symbol.asyncDispose]: () => lm[Symbol.asyncDispose](),
  };
}

async function servers(kind: "llama" | "vllm"): Promise<readonly Arm[]> {
  const urls = given[kind]?.split(",") ?? [];
  if (urls.length === 0) console.error(`NOT MEASURED: no --${kind} URL was given.`);
  return Promise.all(
    urls.map(async (baseUrl) => {
      const { models } = await serverInfo({ baseUrl });
      const model = models[0]!.id;
      const lm = connect({ baseUrl, model, concurrency: inFlight, examinationsFolder: null });
      return {
        name: `${kind} ${new URL(baseUrl).host}`,
        lm,
        cpuSeconds: () => cpuSecondsOf(baseUrl),
        [Symbol.asyncDispose]: () => lm[Symbol.asyncDispose](),
      };
    }),
  );
}

async function turn(
  arm: Arm,
  asked: { readonly first: number; readonly questions: number; readonly texts: number },
): Promise<Turn> {
  const { first } = asked;
  const answers: string[] = [];
  const ofQuestions = await cost(arm, asked.questions, first, async (lm, index) => {
    const attempt = await program.attempt(examples[index]!.input, { lm });
    answers[index - first] = attempt.state === "completed" ? attempt.output.type : "failed";
  });
  const written: string[] = [];
  const ofTexts = await cost(arm, asked.texts, first, async (lm, index) => {
    const { question } = examples[index]!.input;
    const { content } = await lm.doGenerate({
      messages: [
        { role: "user", content: `Write a long story that begins with this question: ${question}` },
      ],
      sampling: { ...defaultSampling, maxCompletionTokens: 64 },
      seed: 0,
    });
    written[index - first] = content ?? "";
  });
  const isRight = (answer: string, index: number): boolean =>
    answer === examples[first + index]!.labels.type;
  return {
    questions: ofQuestions,
    texts: ofTexts,
    answers,
    written,
    right: answers.filter(isRight).length,
  };
}

async function cost(
  { lm, cpuSeconds }: Arm,
  calls: number,
  first: number,
  call: (lm: LanguageModel, index: number) => Promise<void>,
): Promise<Cost> {
  const usages: LmUsage[] = [];
  const counting: LanguageModel = {
    ...lm,
    doGenerate: async (request, options) => {
      const reply = await lm.doGenerate(request, options);
      usages.push(reply.usage);
      return reply;
    },
  };
  const tokens = (key: keyof LmUsage): number =>
    usages.reduce((sum, usage) => sum + (usage[key] ?? 0), 0);
  const before = cpuSeconds();
  const { wallMs } = await measure((index) => call(counting, index), { calls, inFlight, first });
  const after = cpuSeconds();
  return {
    seconds: (wallMs * calls) / 1000,
    cpuSeconds: before === null || after === null ? null : after - before,
    promptTokens: tokens("promptTokens"),
    cachedTokens: tokens("cachedPromptTokens"),
    completionTokens: tokens("completionTokens"),
  };
}
