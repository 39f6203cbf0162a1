import {
  avoidRepeats,
  carryConversation,
  carryReplies,
  carryTopic,
  isNoAnswer,
  keywordsOnly,
  nameEntities,
  useFindings,
  useGaps,
  useSuggestions,
  varyQueries,
} from "../../ability/index.ts";
import type { TextReader } from "../../text/index.ts";
import { similarity } from "../../text/index.ts";
import type { CaseStudy } from "../cases/case-study.ts";
import type { Lesson } from "../cases/lesson.ts";
import { casesWith, sourceEvidence } from "../cases/lesson.ts";

const verb = "{include|add|carry over|use|bring|keep|take|put|mention|name|with}";
const things = "{names|entities|terms|key terms|words|subjects|topics|details|nouns|what}";
const talk =
  "{earlier turns|conversation|history|dialogue|earlier questions|previous questions|chat|discussion|turns}";
const target = "{every query|each query|queries|query|every search|searches|search|retrieval}";
const replies = "{assistant answers|assistant replies|replies|earlier answers|assistant}";
const opening = "{first question|opening question|first turn|topic of the conversation|main topic}";

/** Lessons for a search step. */
export const searchLessons: readonly Lesson[] = [
  {
    behaviour: carryConversation,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) => material.turns.map(({ text }) => text)),
    wordings: [
      `In ${target}, ${verb} the ${things} from the ${talk} that the {question|message} {refers to|leaves out|depends on|needs}.`,
      `In ${target}, ${verb} the ${things} from the ${talk}.`,
      `${verb} the ${things} from the ${talk}.`,
    ],
  },
  {
    behaviour: carryReplies,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) =>
        material.turns.filter(({ speaker }) => speaker === "assistant").map(({ text }) => text),
      ) * 0.8,
    wordings: [
      `In ${target}, ${verb} the ${things} from the ${replies}.`,
      `${verb} the ${things} from the ${replies}.`,
    ],
  },
  {
    behaviour: carryTopic,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) =>
        material.turns.slice(0, 1).map(({ text }) => text),
      ) * 0.8,
    wordings: [
      `In ${target}, ${verb} the ${things} from the ${opening}.`,
      `${verb} the ${opening}.`,
    ],
  },
  {
    behaviour: useSuggestions,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) => material.notes.suggestions),
    wordings: [`In ${target}, ${verb} the {search suggestions|suggestions|suggested|hints}.`],
  },
  {
    behaviour: useGaps,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) => material.notes.missing),
    wordings: [`In ${target}, ${verb} what is {missing|lacking|unanswered}.`],
  },
  {
    behaviour: useFindings,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) => material.notes.findings),
    wordings: [`In ${target}, ${verb} the ${things} from the {key findings|findings|notes}.`],
  },
  {
    behaviour: nameEntities,
    weigh: (cases, reader) =>
      sourceEvidence(cases, reader, ({ material }) =>
        material.passages.map(({ title, text }) => `${title}\n${text}`),
      ),
    wordings: [
      `${verb} the ${things} that the {passages|documents|sources|texts} {name|mention|bring in|have}.`,
      `${verb} the ${things} from the {passages|documents|sources|texts}.`,
    ],
  },
  {
    behaviour: keywordsOnly,
    weigh: (cases, reader) => casesWith(cases, (study) => isUnmet(study) && isWordy(study, reader)),
    wordings: [
      "{Write|Use|Give|Produce} {keywords|key terms|search terms|key words}, not {full sentences|complete sentences|sentences}.",
      "{Write|Use|Give|Produce} {keywords|key terms|search terms|key words}.",
      "{Queries|Query|Searches} with {keywords|key terms|search terms|key words}.",
    ],
  },
  {
    behaviour: varyQueries,
    weigh: (cases, reader) =>
      casesWith(cases, (study) => isUnmet(study) && hasTwins(study.searches, reader)),
    wordings: [
      "{Write|Use|Give|Produce} {diverse|different|distinct|varied} {queries|searches}.",
      "The {queries|searches} must {differ|vary}.",
      "The {queries|searches} must not be the {same search|same text|same queries|same query}.",
    ],
  },
  {
    behaviour: avoidRepeats,
    weigh: (cases, reader) =>
      casesWith(
        cases,
        (study) =>
          isUnmet(study) &&
          study.searches.some((output) =>
            study.material.pastQueries.some(
              (query) => similarity(reader.stems(query), reader.stems(output)) > 0.8,
            ),
          ),
      ),
    wordings: [
      "{Do not|Never} {repeat|reuse|copy} {earlier queries|previous queries|queries already} {used|sent|tried}.",
    ],
  },
];

function isUnmet({ feedback }: CaseStudy): boolean {
  return feedback.wanted !== "";
}

/** A refusal is wordy but not a search. */
function isWordy({ searches }: CaseStudy, reader: TextReader): boolean {
  return searches
    .filter((search) => search.length < 300 && !isNoAnswer(search))
    .some((output) => {
      const words = reader.words(output);
      const small = words.filter(({ kind }) => kind !== "content").length;
      return words.length > 3 && small / words.length > 0.35;
    });
}

function hasTwins(outputs: readonly string[], reader: TextReader): boolean {
  const stems = outputs.filter(({ length }) => length < 300).map((output) => reader.stems(output));
  return stems.some((left, index) =>
    stems.slice(index + 1).some((right) => similarity(left, right) > 0.9),
  );
}
