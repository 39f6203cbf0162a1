/**
 * A comparison of runs as one page that works from a file: `reportPage` puts the value of
 * `compareRuns`, the script and the style into one HTML text that asks nothing of anybody. The
 * sources of the script are in `browser/`; `npm run bundle:page` makes `built/` of them, as do
 * `npm ci`, the tests and the build. Knows no run folder and no terminal.
 */
export { reportPage } from "./report-page.ts";
