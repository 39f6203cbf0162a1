/**
 * Pages over everything below a folder, live: finds runs, results, artifacts, registries and
 * servers' files by what they are, reads them, and follows the journals of running searches. Takes
 * no lock and writes nothing, but for the file that asks a run to end. What takes long is done in a
 * thread, whose module calls `answerInThread` of `files.ts`. Knows no terminal; how the
 * pages look is in `report-page`, and who may ask for them in `serve`.
 */
export type { StudioOptions } from "./studio.ts";
export { studio } from "./studio.ts";
