/**
 * The second door of this folder, to what a server keeps in files: feedback, and the state of rollouts.
 * Loads nothing that serves.
 */
export { feedbackExample } from "./feedback/feedback-examples.ts";
export { openFeedback } from "./feedback/open-feedback.ts";
export { openServeState } from "./rollout/open-serve-state.ts";
export { rolloutJson } from "./rollout/rollout-face.ts";
export { rolloutReports } from "./rollout/rollout-report.ts";
