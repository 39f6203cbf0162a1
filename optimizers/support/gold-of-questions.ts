import type { Gold } from "espalier";
import type { HanragLabels } from "../../programs/hanrag/index.ts";

/**
 * What the labels of a question know of HANRAG's steps: the route that its set is made for, and the
 * parts of a compound question.
 */
export const goldOfQuestions: Gold<unknown, HanragLabels> = {
  routeQuestion: ({ labels: { route } }) => (route === undefined ? null : { outputs: { route } }),
  decomposeQuestion: ({ labels: { route, decomposition = [] } }) =>
    route === "compound" && decomposition.length > 0
      ? { outputs: { subQuestions: decomposition.map(({ question }) => question) } }
      : null,
};
