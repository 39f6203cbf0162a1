/**
 * The second door of this folder, to what declares an experiment. Loads nothing that evaluates or
 * computes a table.
 */
export type {
  Breakdown,
  BrokenDownRow,
  Experiment,
  ExperimentFigure,
  ExperimentRow,
} from "./experiment.ts";
export type { PublishedFigure } from "./published-figure.ts";
export { experiment, isExperiment } from "./experiment.ts";
