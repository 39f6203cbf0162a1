import type { JsonObject } from "espalier";
import { normalizeAnswer } from "espalier/metric";
import { documentText } from "espalier/retrieval";
import type { hanragModules } from "../../programs/hanrag/modules.ts";
import { maxCharacters } from "../../programs/hanrag/search-and-answer.ts";
import type { SolvedStep } from "../../programs/hanrag/thought.ts";
import { thoughtOf } from "../../programs/hanrag/thought.ts";
import type { SetParagraph, SetQuestion } from "../../trainsets/multi-hop/set-question.ts";
import type { QuestionRoute } from "../../trainsets/routed-question.ts";

/** The Revelator's five decisions: a predictor of HANRAG for each. */
export const decisions = [
  "routeQuestion",
  "decomposeQuestion",
  "refineQuestion",
  "judgeRelevance",
  "judgeEnding",
] as const satisfies readonly (keyof ReturnType<typeof hanragModules>["predictors"])[];
export type Decision = (typeof decisions)[number];

/** A decision with its label. */
export interface LabelledDecision {
  readonly decision: Decision;
  /** Unique within the decision. */
  readonly id: string;
  /** `question` is what the program would ask about. */
  readonly inputs: { readonly question: string } & JsonObject;
  readonly outputs: JsonObject;
}

/** What a question of a set teaches, besides its route (section 4.2). */
export interface Taught {
  readonly route: QuestionRoute;
  /** Whether the router learns from it: in the paper, from MuSiQue alone of the multi-hop sets. */
  readonly router: boolean;
}

/**
 * The decisions whose labels a question gives, by the heuristics of section 4.2:
 *
 * - router: the route of its set; a step of a chain, worded as a question, is single-step;
 * - decomposer: the parts of a compound question;
 * - refiner: each step of a chain, after the steps before it;
 * - ending: solved after the last step, not before;
 * - relevance: the supporting passage of a step or of a single-step question is relevant; one of
 *   its other passages, without an accepted answer in it, is not. The paper asks a teacher LM.
 */
export function decisionsOf(
  question: SetQuestion,
  { route, router }: Taught,
): readonly LabelledDecision[] {
  const steps = question.steps.flatMap((step) => {
    const worded = wordedStep(step.question);
    return worded === undefined ? [] : [{ ...step, question: worded }];
  });
  // A chain with a step that cannot be worded has a gap in its thought.
  const isChain = route === "complex" && steps.length > 1 && steps.length === question.steps.length;
  return [
    ...(router ? [routed(question.id, question.question, route)] : []),
    ...(router && route === "complex"
      ? question.steps.flatMap((step, index) =>
          step.question.includes(">>")
            ? []
            : [routed(`${question.id}#${index + 1}`, step.question.trim(), "single-step")],
        )
      : []),
    ...(route === "compound" && steps.length > 1 ? [decomposed(question)] : []),
    ...(isChain ? chainDecisions(question, steps) : []),
    ...relevanceDecisions(question, route, steps),
  ];
}

function routed(id: string, question: string, route: QuestionRoute): LabelledDecision {
  return { decision: "routeQuestion", id, inputs: { question }, outputs: { route } };
}

/** Labels have no reasoning, and the predictor writes some: it states what the label shows. */
function decomposed({ id, question, steps }: SetQuestion): LabelledDecision {
  const reasoning = `The question asks for ${steps.length} things, and none needs the answer of another.`;
  const subQuestions = steps.map((step) => step.question);
  return {
    decision: "decomposeQuestion",
    id,
    inputs: { question },
    outputs: { reasoning, subQuestions },
  };
}

function chainDecisions(
  { id, question }: SetQuestion,
  steps: readonly SolvedStep[],
): readonly LabelledDecision[] {
  return Array.from({ length: steps.length + 1 }, (_, solved) => solved).flatMap((solved) => {
    const inputs = { question, thought: thoughtOf(steps.slice(0, solved)) };
    const next = steps[solved];
    const place = `${id}#${solved}`;
    const isSolved = next === undefined;
    return [
      ...(isSolved
        ? []
        : [
            {
              decision: "refineQuestion",
              id: place,
              inputs,
              outputs: { seedQuestion: next.question },
            } as const,
          ]),
      { decision: "judgeEnding", id: place, inputs, outputs: { isSolved } } as const,
    ];
  });
}

function relevanceDecisions(
  { id, question, answers, paragraphs, support }: SetQuestion,
  route: QuestionRoute,
  steps: SetQuestion["steps"],
): readonly LabelledDecision[] {
  const held = support.filter((each): each is SetParagraph => each.text !== undefined);
  const asked =
    route === "single-step"
      ? [{ question, accepted: answers, supporting: held.slice(0, 1) }]
      : steps.map((step) => ({
          question: step.question,
          accepted: [step.answer, ...answers],
          supporting: held.filter(({ title }) => title === step.supportTitle),
        }));
  const keys = new Set(held.map(keyOf));
  return asked.flatMap(({ question: about, accepted, supporting }, index) => {
    const [relevant, another] = supporting;
    if (relevant === undefined || another !== undefined) return [];
    const golds = accepted.map(normalizeAnswer).filter((gold) => gold !== "");
    const others = paragraphs.filter((paragraph) => {
      const text = normalizeAnswer(`${paragraph.title} ${paragraph.text}`);
      return !keys.has(keyOf(paragraph)) && !golds.some((gold) => text.includes(gold));
    });
    // Publishers shuffle the passages, so any is as good as another; the steps take different ones.
    const irrelevant = others[index % Math.max(1, others.length)];
    const row = (passage: SetParagraph, isRelevant: boolean): LabelledDecision => ({
      decision: "judgeRelevance",
      id: `${id}#${index + 1}-${isRelevant ? "support" : "other"}`,
      inputs: { question: about, passage: documentText({ id, ...passage }, maxCharacters) },
      outputs: { isRelevant },
    });
    return [row(relevant, true), ...(irrelevant === undefined ? [] : [row(irrelevant, false)])];
  });
}

function keyOf({ title, text }: SetParagraph): string {
  return `${title}\n${text}`;
}

/**
 * A step as a question. Some steps of MuSiQue, and all of 2WikiMultihopQA's own files, are a
 * subject and a relation, `Hello Love >> performer`. A relation that is no noun, such as `named
 * after`, has no wording.
 */
export function wordedStep(step: string): string | undefined {
  const [subject = "", relation, ...more] = step.split(">>").map((part) => part.trim());
  if (relation === undefined) return subject;
  const isClause = /^(?:\w+ed|has|is|said|shares)\b|\b(?:by|with|of|in|after|as|from|to)$/i;
  if (subject === "" || more.length > 0 || relation === "" || isClause.test(relation)) return;
  return `What is the ${relation} of ${subject}?`;
}
