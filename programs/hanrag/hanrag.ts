import type { Text } from "espalier";
import { EspalierError, program, rankedPassages, text } from "espalier";
import { z } from "zod";
import type { QuestionRoute } from "../../signatures/index.ts";
import { questionRoutes } from "../../signatures/index.ts";
import { distinctPassages } from "../support/distinct-passages.ts";
import { answerComplex } from "./answer-complex.ts";
import type { Search, Solution } from "./answer-compound.ts";
import { answerCompound } from "./answer-compound.ts";
import { chooseRoute } from "./choose-route.ts";
import type { HanragCall } from "./modules.ts";
import { hanragModules } from "./modules.ts";
import type { HanragOptions } from "./options.ts";
import { searchAndAnswer } from "./search-and-answer.ts";

/**
 * HANRAG (Sun et al. 2025, algorithm 2): each question takes one of four routes. The model alone
 * answers a straightforward question (no step), one cycle of retrieval, filter and generation a
 * single-step one, concurrent cycles a compound one (one step), and as many consecutive cycles as
 * needed a complex one.
 *
 * The paper trains one model for the five decisions; here each is a prompt, to be optimized.
 */
export function hanrag({ retriever, ...options }: HanragOptions) {
  const search: Search = async (question, call) => {
    call.step(`Searching: ${question}`);
    return searchAndAnswer(question, call, retriever);
  };
  return program({
    name: "hanrag",
    version: "1",
    input: {
      question: text("question", "The question to be answered."),
      /** Only for the option `routing` at `oracle`. */
      route: z.enum(questionRoutes).optional().describe("The kind of question, where it is known."),
    },
    output: {
      answer: text("answer"),
      route: z.enum(questionRoutes).describe("The way that the question took."),
      steps: z.int().min(0).describe("Cycles of retrieval and generation in turn."),
      solved: z
        .array(z.object({ question: text("question"), answer: text("answer") }))
        .describe("The sub-questions that were looked up, with their answers."),
      passages: rankedPassages("What the answer was written from, each passage once."),
    },
    ...hanragModules(options),
    forward: async ({ question, route: given }, call) => {
      const route = await routeOf(question, given, call);
      call.note("route", route);
      call.step(`Classified as a ${route} question.`);
      const { answer, steps, solved, passages } = await solve(route, question, call);
      return { answer, route, steps, solved: [...solved], passages: distinctPassages(passages) };
    },
  });

  async function routeOf(
    question: Text<"question">,
    given: QuestionRoute | undefined,
    call: HanragCall,
  ): Promise<QuestionRoute> {
    const { routing } = call.parameters;
    if (routing !== "router") return routing;
    if (options.routing !== "oracle") return chooseRoute(question, call);
    if (given !== undefined) return given;
    throw new EspalierError({
      code: "input-invalid",
      problem: "The question has no route",
      expected: "the input `route`, which oracle routing requires",
      fix: 'Pass `route` with each question, or build the program without `routing: "oracle"`.',
    });
  }

  async function solve(
    route: QuestionRoute,
    question: Text<"question">,
    call: HanragCall,
  ): Promise<Solution> {
    switch (route) {
      case "straightforward": {
        const { answer } = await call.predictors.answerDirectly({ question });
        return { answer, steps: 0, solved: [], passages: [] };
      }
      case "single-step": {
        const { answer, passages } = await search(question, call.at("step", 1));
        return { answer, steps: 1, solved: [{ question, answer }], passages };
      }
      case "compound":
        return answerCompound(question, call, search);
      case "complex":
        return answerComplex(question, call, search);
    }
  }
}
