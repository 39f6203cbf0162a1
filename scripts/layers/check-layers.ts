import { scriptOptions } from "../support/script-options.ts";
import { layerReport } from "./layer-report.ts";

scriptOptions({
  command: "npm run layers",
  about: "Checks every import against the table in scripts/layers/layers.ts.",
});

const { moduleCount, dependencyCount, figures, problems } = layerReport(process.cwd());
for (const figure of figures) console.log(figure);
for (const problem of problems) console.error(problem);
console.log(
  `Layers: checked ${moduleCount} modules and ${dependencyCount} dependencies, found ${problems.length} problems.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
