import { createHash } from "node:crypto";
import type { LanguageModel } from "espalier";
import { randomSource, textOfContent } from "espalier";
import {
  kindsLm,
  kindsStudy,
  rightReply,
  unknownReply,
} from "../../optimizer/few-shot/support/kinds.ts";

const { train } = kindsStudy.trainset.splits;
/** Kinds of questions, which follow one another. */
const kinds = 4;
/** Share of prompts in which a question that is not known is guessed right. */
const luck = 0.3;

/**
 * As `kindsLm`, but what it does not know it guesses right in three of ten prompts, so that
 * candidates differ by chance. Demonstrations reach it dealt, unless `areDealt` is false: each
 * shows the answer to a question of train that is of another kind.
 */
export function luckyKindsLm(seed: number, { areDealt = true } = {}): LanguageModel {
  const shift = 1 + randomSource(seed, "placebo/lucky").below(kinds - 1);
  const answers = train.map(({ labels }) => labels.right);
  const shown = new Map(
    answers.map((answer, index) => [answer, answers[(index + shift) % answers.length] ?? answer]),
  );
  const dealt = (text: string): string =>
    text.replace(/\w+-[0-9a-f]{6}-\d+/g, (answer) => shown.get(answer) ?? answer);
  return {
    ...kindsLm,
    doGenerate: async (request, options) => {
      const messages = request.messages.map((message, index, { length }) =>
        areDealt && index < length - 1
          ? { ...message, content: dealt(textOfContent(message.content)) }
          : message,
      );
      const reply = await kindsLm.doGenerate({ ...request, messages }, options);
      if (reply.content !== unknownReply) return reply;
      const drawn = createHash("sha256")
        .update(JSON.stringify([seed, request.messages]))
        .digest()
        .readUInt32BE();
      return drawn < luck * 2 ** 32 ? { ...reply, content: rightReply(messages) } : reply;
    },
  };
}
