export type { ReactResearchOptions } from "./react-research.ts";
export { reactResearch } from "./react-research.ts";
export { researchWithFeedback } from "./research-with-feedback.ts";
