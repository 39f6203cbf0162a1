import { avoidRepeats } from "./avoid-repeats.ts";
import { carryConversation } from "./carry-conversation.ts";
import { carryReplies } from "./carry-replies.ts";
import { carryTopic } from "./carry-topic.ts";
import type { QueryBehaviour } from "./draft.ts";
import { expandTerms } from "./expand-terms.ts";
import { dropNames, padText, repeatEarlier, shunOwnWords } from "./harmful-habits.ts";
import { keywordsOnly } from "./keywords-only.ts";
import { limitLength } from "./limit-length.ts";
import { splitQuestion } from "./split-question.ts";
import { useFindings, useGaps, useSuggestions } from "./use-notes.ts";
import { varyQueries } from "./vary-queries.ts";

/** In the order in which they change a draft: what to ask, what to add, how to phrase it. */
export const queryBehaviours: readonly QueryBehaviour[] = [
  repeatEarlier,
  splitQuestion,
  shunOwnWords,
  carryConversation,
  carryReplies,
  carryTopic,
  useSuggestions,
  useGaps,
  useFindings,
  expandTerms,
  varyQueries,
  keywordsOnly,
  avoidRepeats,
  dropNames,
  padText,
  limitLength,
];
