/** Folders of `src/`, lowest first. A folder imports lower rows only; those in one row not each other. */
export const layers: readonly (readonly string[])[] = [
  ["errors"],
  ["internal"],
  ["statistics", "storage"],
  ["contract"],
  ["signature", "ledger", "stand-in"],
  ["ax"],
  ["lm", "hosted", "retrieval", "metric", "trainset"],
  ["program"],
  ["judge"],
  ["evaluate"],
  ["artifact", "optimizer"],
  ["study"],
  ["serve"],
  ["cli"],
];

/**
 * Inner tables, by folder of `src/`: the floors of a big folder, lowest first, in the same reading. `"."` names the
 * files directly in the folder.
 */
export const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  cli: [
    ["terminal", "reports"],
    ["arguments"],
    ["corpus", "doctor", "rollout", "load", "lm"],
    ["artifact", "batch", "feedback", "run", "serve"],
    ["eval"],
    ["optimize", "show"],
    ["."],
  ],
};

/** The stand-in LM stands beside the rows: it imports these folders, and only `cli` imports it. */
export const rehearsal: { readonly imports: readonly string[]; readonly importedBy: string } = {
  imports: ["errors", "internal", "contract"],
  importedBy: "cli",
};

/** What the folders beside `src/` may import, besides their own files. */
export interface Collection {
  /** Through the doors of the package, by its name. */
  readonly package: "all doors" | "all doors but rehearsal";
  readonly folders: readonly string[];
  /** Folders of which only types may be imported. */
  readonly typesOf: readonly string[];
  /** npm packages; "any" means whatever package.json declares. */
  readonly npm: readonly string[] | "any";
  readonly nodeBuiltins: boolean;
}

export const collections: Readonly<Record<string, Collection>> = {
  signatures: {
    package: "all doors but rehearsal",
    folders: [],
    typesOf: [],
    npm: ["zod"],
    nodeBuiltins: false,
  },
  programs: {
    package: "all doors but rehearsal",
    folders: ["signatures"],
    typesOf: [],
    npm: ["zod"],
    nodeBuiltins: false,
  },
  trainsets: {
    package: "all doors but rehearsal",
    folders: [],
    typesOf: ["signatures"],
    npm: ["zod"],
    nodeBuiltins: true,
  },
  optimizers: {
    package: "all doors",
    folders: ["signatures", "programs", "trainsets"],
    typesOf: [],
    npm: "any",
    nodeBuiltins: true,
  },
};

/** The only file that imports the ax package: the build bundles what it names. */
export const axFile = "src/ax/ax.ts";

/** Every folder whose modules are looked at. */
export const lookedAt: readonly string[] = ["src", ...Object.keys(collections), "scripts", "test"];
