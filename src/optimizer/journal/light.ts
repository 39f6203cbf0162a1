/** The second door of this folder, to what reads a run's files. Loads nothing that reaches a model. */
export { billedIn } from "./billed-in.ts";
export { checkEvents } from "./check-events.ts";
export { workLog } from "./work-log.ts";
