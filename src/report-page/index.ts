/**
 * Pages of comparisons. `reportPage` puts the value of `compareRuns`, the script and the style into
 * one HTML text that asks nothing of anybody and works from a file; `studioFiles` are the pages of
 * a server that has many such values, and `data/` is what that server answers. The sources of the
 * scripts are in `browser/`; `npm run bundle:page` makes `built/` of them, as do the tests, the
 * build and, where there is none, `npm run espalier`. Knows no run folder, no server and no
 * terminal.
 */
export type {
  ArtifactFigures,
  Claim,
  ListedArtifact,
  ListedPreference,
  ListedRegistry,
  ListedResult,
  ListedRun,
  ListedServer,
  ListedTrial,
  Listing,
  RunFigures,
  RunState,
} from "./data/listing.ts";
export type {
  RunProgress,
  StudioComparison,
  StudioEvent,
  StudioSource,
} from "./data/studio-answers.ts";
export { reportPage } from "./report-page.ts";
export type { StudioFile } from "./studio-files.ts";
export { studioFiles } from "./studio-files.ts";
