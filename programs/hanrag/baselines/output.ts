import { rankedPassages, text } from "espalier";
import { z } from "zod";
import { questionRoutes } from "../../../signatures/index.ts";

/** What HANRAG's metric reads of an answer, whichever system gave it. */
export const baselineOutput = {
  answer: text("answer"),
  route: z.enum(questionRoutes).describe("The way of HANRAG that does the same work."),
  steps: z.int().min(0).describe("Cycles of retrieval and generation in turn."),
  passages: rankedPassages("What the answer was written from, each passage once."),
};
