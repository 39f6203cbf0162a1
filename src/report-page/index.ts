/**
 * Pages of comparisons. `reportPage` puts the value of `compareRuns`, the script and the style into
 * one HTML text that asks nothing of anybody and works from a file; `studioFiles` are the pages of
 * a server that has many such values, and the other types are what that server answers. The scripts
 * and the style come from `packages/pages`: `npm run bundle:pages` makes `built/` of it, as do the
 * tests, the build and, where there is none, `npm run espalier`. Knows no run folder, no server and
 * no terminal.
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
  RunProgress,
  StudioComparison,
  StudioEvent,
  StudioSource,
} from "./studio-answers.ts";
export { reportPage } from "./report-page.ts";
export type { StudioFile } from "./studio-files.ts";
export { studioFiles } from "./studio-files.ts";
