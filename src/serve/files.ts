/**
 * The second entry point of this folder: the files that a server keeps (feedback and state),
 * without the server itself. Commands that only read these files start fast through it.
 */
export { feedbackExample } from "./feedback/feedback-examples.ts";
export { readPreferences } from "./feedback/server-feedback.ts";
export { serverFileKind } from "./server-file-kind.ts";
export { openFeedback } from "./feedback/open-feedback.ts";
export { openServeState } from "./state/open-serve-state.ts";
export {
  canaryJson as rolloutJson,
  canaryReports as rolloutReports,
} from "./canary/canary-report.ts";
