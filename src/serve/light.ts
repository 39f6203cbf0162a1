/**
 * The second door of this folder, to what a server keeps in files: feedback, and the state of rollouts.
 * Loads nothing that serves.
 */
export { feedbackExample } from "./feedback/feedback-examples.ts";
export { openFeedback } from "./feedback/open-feedback.ts";
export { openServeState } from "./state/open-serve-state.ts";
export { canaryJson as rolloutJson } from "./routes/canary-routes.ts";
export { canaryReports as rolloutReports } from "./canary/canary-report.ts";
