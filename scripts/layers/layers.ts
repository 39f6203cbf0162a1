/** Folders of `src/`, lowest row first. A folder imports only folders of lower rows. */
export const layers: readonly (readonly string[])[] = [
  ["errors"],
  ["internal"],
  ["statistics", "storage", "word-diff"],
  ["contract"],
  ["signature", "ledger", "mock"],
  ["ax"],
  ["lm", "hosted", "retrieval", "metric", "trainset"],
  ["program", "servers"],
  ["runner"],
  ["evaluate"],
  ["artifact", "optimizer"],
  ["study"],
  ["experiment"],
  ["report"],
  ["report-page"],
  ["serve"],
  ["studio"],
  ["cli"],
];

/**
 * Inner tables, by folder of `src/`: the floors of a big folder, lowest first, with the same
 * meaning. `"."` means the files directly in the folder.
 */
export const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  cli: [
    ["terminal", "packages"],
    ["arguments"],
    ["lm"],
    ["corpus", "doctor", "models", "rollout", "load"],
    ["tracking"],
    ["artifact", "init", "run", "serve", "workers"],
    ["eval"],
    ["compare", "headroom", "optimize"],
    ["show", "studio"],
    ["experiment", "mlflow"],
    ["."],
  ],
  optimizer: [
    ["budget", "candidate"],
    ["task"],
    ["evaluation"],
    ["contract"],
    ["run-folder", "plan", "demonstrations"],
    ["proposal"],
    ["engine", "few-shot", "gepa", "in-turn", "parameter-search"],
    ["decision-fit", "mipro-v2"],
    ["auto-search"],
    ["."],
  ],
  "optimizer/proposal": [["text"], ["case"], ["check"], ["."]],
  "optimizer/gepa": [["evidence"], ["strategy"], ["settings"], ["state"], ["stage"], ["."]],
  report: [["data"], ["reading", "pair", "on-test"], ["source"], ["."]],
  studio: [["finding"], ["thread"], ["listing"], ["."]],
  serve: [
    ["api-error", "comparison", "telemetry"],
    ["state"],
    ["model"],
    ["answer"],
    ["canary", "feedback"],
    ["versions"],
    ["protocol"],
    ["batch", "http", "routes"],
    ["."],
  ],
  lm: [["client", "wrappers"], ["chat", "replicas"], ["text-models", "doctor"], ["."]],
  retrieval: [
    ["corpus"],
    ["index-file"],
    ["lexical", "dense", "http", "fusion"],
    ["rerank"],
    ["."],
  ],
  metric: [["formula"], ["score"], ["."]],
  program: [["prompt", "nearest"], ["driver"], ["decision"], ["call"], ["predictor"], ["."]],
  artifact: [["file"], ["load", "compile"], ["registry"], ["."]],
  "serve/routes": [["openai", "page"], ["."]],
  "serve/routes/openai": [["request"], ["reply"], ["."]],
  signature: [["schema"], ["."]],
  internal: [["text", "json", "async"], ["."]],
};

/** What a folder or a file of `src/` may grow to. */
export const limits = {
  /** Files directly in one folder. */
  filesInFolder: 25,
  /** Lines of one file. */
  linesOfFile: 300,
  /** Lines of a folder, with all below it, that stands without an inner table. */
  linesWithoutFloors: 2_000,
} as const;

/** What `src/` may grow to as a whole. */
export interface Ceilings {
  /** Files and lines of a folder, with all below it, by its path. */
  readonly folders: Readonly<Record<string, { readonly files: number; readonly lines: number }>>;
  /** Files of `src/` that exactly one file of `src/` imports; doors count on neither side. */
  readonly percentWithOneImporter: number;
}

/**
 * A ratchet: lower a figure as `src/` shrinks, and never raise one. The goal is 1,000 files and
 * 75,000 lines for `src`, 180 and 16,000 for `src/optimizer`, and 25 percent.
 */
export const ceilings: Ceilings = {
  folders: {
    src: { files: 677, lines: 73_874 },
    "src/optimizer": { files: 122, lines: 15_643 },
  },
  percentWithOneImporter: 24.9,
};

/** A package of the workspace. It stands beside the rows. */
export interface WorkspacePackage {
  readonly folder: string;
  /**
   * Folders of `src/` that it imports; `"."` means `src/index.ts`. A door of `espalier` stays
   * an import of it; its build bundles the others.
   */
  readonly imports: readonly string[];
  /** The file of `src/` that imports it, by its name, since it may not be installed. */
  readonly importedBy?: string;
  /** Not published: browsers run it, and `espalier` ships its bundle. */
  readonly isShippedBundled?: true;
}

export const packages: Readonly<Record<string, WorkspacePackage>> = {
  "@espalier/rehearsal": {
    folder: "packages/rehearsal",
    imports: ["errors", "internal", "contract"],
    importedBy: "src/cli/lm/rehearsal-package.ts",
  },
  "@espalier/workers": {
    folder: "packages/workers",
    imports: ["errors", "internal", "contract", "lm", "runner"],
    importedBy: "src/cli/packages/workers-package.ts",
  },
  "@espalier/postgres": {
    folder: "packages/postgres",
    imports: ["errors", "internal", "retrieval", "."],
    importedBy: "src/cli/corpus/open-index.ts",
  },
  "@espalier/lance": {
    folder: "packages/lance",
    imports: ["errors", "internal", "storage", "retrieval", "."],
    importedBy: "src/cli/corpus/open-index.ts",
  },
  "@espalier/search-engines": {
    folder: "packages/search-engines",
    imports: ["internal", "retrieval", "."],
  },
  "@espalier/tracking": {
    folder: "packages/tracking",
    imports: [
      "errors",
      "internal",
      "storage",
      "contract",
      "mock",
      "trainset",
      "evaluate",
      "artifact",
      "optimizer",
      "serve",
      ".",
    ],
    importedBy: "src/cli/packages/tracking-package.ts",
  },
  "@espalier/local": {
    folder: "packages/local",
    imports: ["errors", "internal", "storage", "contract", "lm", "."],
    importedBy: "src/cli/lm/local-package.ts",
  },
  "@espalier/ai-sdk": {
    folder: "packages/ai-sdk",
    imports: ["errors", "internal", "contract", "program", "."],
  },
  "@espalier/judge": {
    folder: "packages/judge",
    imports: ["internal", "statistics", "lm", "metric", "."],
  },
  "@espalier/mcp": {
    folder: "packages/mcp",
    imports: ["errors", "internal", "."],
  },
  "@espalier/pages": {
    folder: "packages/pages",
    imports: ["internal", "statistics", "word-diff", "contract", "report", "report-page"],
    isShippedBundled: true,
  },
};

/** What scripts write beside sources: not in the repository. */
export const generated: readonly string[] = [
  ...Object.values(packages).map(({ folder }) => `${folder}/dist`),
  "src/report-page/built",
  "src/serve/routes/page/browser",
];

/** What the folders beside `src/` may import, besides their own files. */
export interface Collection {
  /** Packages of the workspace, by folder; the doors of `espalier` are open to all. */
  readonly packages: readonly string[];
  readonly folders: readonly string[];
  /** Folders from which only types may be imported. */
  readonly typesOf: readonly string[];
  /** npm packages; "any" means every package that package.json declares. */
  readonly npm: readonly string[] | "any";
  readonly nodeBuiltins: boolean;
}

export const collections: Readonly<Record<string, Collection>> = {
  signatures: {
    packages: [],
    folders: [],
    typesOf: [],
    npm: ["zod"],
    nodeBuiltins: false,
  },
  programs: {
    packages: [],
    folders: ["signatures"],
    typesOf: [],
    npm: ["zod"],
    nodeBuiltins: false,
  },
  trainsets: {
    packages: [],
    folders: [],
    typesOf: ["signatures"],
    npm: ["zod"],
    nodeBuiltins: true,
  },
  optimizers: {
    packages: ["rehearsal", "judge"],
    folders: ["signatures", "programs", "trainsets"],
    typesOf: [],
    npm: "any",
    nodeBuiltins: true,
  },
  templates: {
    packages: ["rehearsal"],
    folders: [],
    typesOf: [],
    npm: ["zod"],
    nodeBuiltins: true,
  },
};

/** The only file that imports the ax package. The build bundles what this file exports. */
export const axFile = "src/ax/ax.ts";

/** Every folder whose modules are looked at. */
export const lookedAt: readonly string[] = [
  "src",
  "packages",
  ...Object.keys(collections),
  "scripts",
  "test",
];
