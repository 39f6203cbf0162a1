import { generated } from "./scripts/layers/layers.ts";
import { layerRules } from "./scripts/layers/layer-rules.ts";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: layerRules(),
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    exclude: { path: generated.map((folder) => `^${folder}/`) },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["espalier:source", "import", "node", "default", "types"],
    },
  },
};
