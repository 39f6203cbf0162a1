import { layerRules } from "./scripts/layers/layer-rules.ts";

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: layerRules(),
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["espalier:source", "import", "node", "default", "types"],
    },
  },
};
