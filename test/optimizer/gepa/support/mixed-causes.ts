import type { TextTask } from "espalier/optimizer";
import { randomSource } from "../../../../src/internal/index.ts";
import type { ReceivedRequest } from "../../../support/scripted-lm.ts";

/** Fails for one cause, until the text holds its rule. */
export type CausedExample = { readonly cause: number };

/** Shares of the causes among examples: few are behind most failures. */
const shares = [0.4, 0.2, 0.12, 0.1, 0.08, 0.06, 0.04];
const words = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "hazel"];

/**
 * A text task whose feedback differs from example to example, so that only who reads it knows which
 * failures have the same cause.
 */
export function mixedCauses(
  seed: number,
  sizes: {
    readonly train: number;
    readonly val: number;
    /** Of each passage; with 300, few examples fit into a request. @default 1 */
    readonly sentences?: number;
  },
): TextTask<CausedExample> {
  const passage = "The lake lies north of it. ".repeat(sizes.sentences ?? 1);
  const draws = randomSource(seed, "mixed causes");
  const examples = (prefix: string, count: number): Record<string, CausedExample> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, number) => [
        `${prefix}${number}`,
        { cause: draws.weighted([...shares.keys()], shares) },
      ]),
    );
  return {
    name: "mixed-causes",
    version: "1",
    texts: { answer: "Answer." },
    train: examples("t", sizes.train),
    val: examples("v", sizes.val),
    evaluate: ({ answer = "" }, { cause }, { exampleId }) => {
      if (answer.includes(ruleOf(cause))) return { score: 1, ran: ["answer"] };
      const told = randomSource(seed, exampleId);
      const said = `${told.choice(words)} ${told.below(1_000)}: ${symptomOf(cause)}`;
      return {
        score: 0,
        ran: ["answer"],
        feedback: said,
        inputs: { passage },
        outputs: { answer: "none" },
      };
    },
  };
}

function ruleOf(cause: number): string {
  return `Mind ${words[cause]}.`;
}

function symptomOf(cause: number): string {
  return `cause ${words[cause]}`;
}

/**
 * Answers as an LM that reads causes. It sorts failures by cause; and it writes the rule for the
 * first failure mode that it is shown, or, without modes, for the cause of the most examples, as
 * far as the instruction has none yet. One reply in four adds a rule that helps nothing.
 */
export function answerOnCauses({ messages, seed }: ReceivedRequest): string {
  const shown = messages.at(-1)?.content ?? "";
  const causes = causesIn(shown);
  const byCause = [...Map.groupBy(causes.entries(), ([, cause]) => cause)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  if (isNaming({ messages })) {
    const modes = byCause.map(([cause, held]) => ({
      name: `Ignores ${cause}`,
      description: `It does not mind ${cause}.`,
      examples: held.map(([place]) => place + 1),
    }));
    return JSON.stringify({ modes });
  }
  const [current = ""] = /Answer\.[^\n]*/.exec(shown) ?? [];
  const modes = [...shown.matchAll(/# Failure mode: Ignores (\w+)/g)].map(([, cause]) => cause);
  const wanted = [...modes, ...byCause.map(([cause]) => cause)].map((cause) => `Mind ${cause}.`);
  const rule = wanted.find((one) => !current.includes(one)) ?? wanted[0];
  const added = seed % 4 === 0 ? `Take care ${seed}.` : rule;
  return JSON.stringify({ newInstruction: `${current} ${added}` });
}

export function isNaming({ messages }: Pick<ReceivedRequest, "messages">): boolean {
  return messages[0]?.content.includes("Name the failure modes") ?? false;
}

/** The causes of the numbered examples in a prompt, in order. */
export function causesIn(prompt: string): readonly string[] {
  return prompt
    .split(/^# Example \d+/mu)
    .slice(1)
    .map((one) => /cause (\w+)/.exec(one)?.[1] ?? "");
}
