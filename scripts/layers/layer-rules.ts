import { resolve } from "node:path";
import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import type { Collection, WorkspacePackage } from "./layers.ts";
import { axFile, collections, floors, layers, packages } from "./layers.ts";
import { packageDoors } from "./package-doors.ts";

/** The table of layers as rules for dependency-cruiser. */
export function layerRules(): readonly IRegularForbiddenRuleType[] {
  return [
    ...layers.flatMap((row, depth) => row.map((folder) => lowerLayersOnly(folder, depth))),
    ...Object.entries(floors).flatMap(([folder, rows]) => floorRules(folder, rows)),
    ...sourceRules,
    ...Object.entries(packages).flatMap(([name, workspace]) => packageRules(name, workspace)),
    ...Object.entries(collections).flatMap(([name, collection]) =>
      collectionRules(name, collection),
    ),
    ...generalRules,
  ];
}

function lowerLayersOnly(folder: string, depth: number): IRegularForbiddenRuleType {
  const lower = layers.slice(0, depth).flat();
  return forbid(
    `src-${folder}`,
    `src/${folder} imports lower layers only: ${lower.join(", ") || "none"}`,
    { path: `^src/${folder}/` },
    { path: "^src/", pathNot: `^src/(${[folder, ...lower].join("|")})/` },
  );
}

function packageRules(
  name: string,
  { folder, imports, importedBy }: WorkspacePackage,
): readonly IRegularForbiddenRuleType[] {
  const own = forbid(
    folder,
    `${name} imports of this repository only itself and, in src/, ${imports.join(", ")}`,
    { path: `^${folder}/src/` },
    {
      path: "^(src|packages)/",
      pathNot: [
        `^${folder}/src/`,
        ...imports.map((name) => `^src/${name === "." ? "" : `${name}/`}(index|files)[.]ts$`),
      ],
    },
  );
  if (importedBy === undefined) {
    const none = forbid(
      `${folder}-not-in-src`,
      `src/ does not import ${name}`,
      { path: "^src/" },
      { path: `^${folder}/` },
    );
    return [own, none];
  }
  return [
    own,
    forbid(
      `${folder}-in-one-file`,
      `In src/ only ${importedBy} imports ${name}`,
      { path: "^src/", pathNot: `^${importedBy}$` },
      { path: `^${folder}/` },
    ),
    forbid(
      `${folder}-by-name`,
      `${importedBy} imports ${name} by its name`,
      { path: `^${importedBy}$` },
      { path: `^${folder}/`, dependencyTypesNot: ["aliased-workspace"] },
    ),
  ];
}

/** One rule for each part of `src/FOLDER`: it imports only the rows below its own. */
function floorRules(
  folder: string,
  rows: readonly (readonly string[])[],
): readonly IRegularForbiddenRuleType[] {
  return rows.flatMap((row, depth) =>
    row.map((part) => {
      const allowed = [part, ...rows.slice(0, depth).flat()];
      return forbid(
        `floor-${folder}/${part}`,
        `src/${folder}/${part} imports lower floors only: ${allowed.slice(1).join(", ") || "none"}`,
        { path: `^src/${folder}/${pathOf(part)}` },
        {
          path: `^src/${folder}/`,
          pathNot: allowed.map((name) => `^src/${folder}/${pathOf(name)}`),
        },
      );
    }),
  );
}

/** `"."` means the files directly in the folder; any other part is a subfolder. */
function pathOf(part: string): string {
  return part === "." ? "[^/]+$" : `${part}/`;
}

const axPackage = "node_modules/@ax-llm/";

/** The source files behind `exports`, as patterns. */
const doorFiles = [...packageDoors(resolve(import.meta.dirname, "../..")).keys()].map(
  (path) => `^${path}[.]ts$`,
);

const sourceRules: readonly IRegularForbiddenRuleType[] = [
  forbid(
    "front-door",
    "The front door hands out everything but the command line",
    { path: "^src/index[.]ts$" },
    { path: "^src/cli/" },
  ),
  forbid(
    "folder-door",
    "A folder of src/ is entered through its index.ts, or its files.ts where it has one",
    { path: "^src/([^/]+)" },
    { path: "^src/[^/]+/", pathNot: ["^src/$1/", "^src/[^/]+/(index|files)[.]ts$"] },
  ),
  forbid(
    "src-knows-no-user-code",
    "src/ knows how, never what",
    { path: "^(src|packages/[^/]+/src)/" },
    { path: `^(${[...Object.keys(collections), "artifacts"].join("|")})/` },
  ),
  forbid(
    "src-declared-packages",
    "src/ imports only declared dependencies; ax is bundled",
    { path: "^src/" },
    {
      pathNot: axPackage,
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      dependencyTypesNot: ["type-only", "npm-peer"],
    },
  ),
  forbid(
    "ax-in-one-file",
    `Only ${axFile} imports ax`,
    {
      path: "^(src|packages|signatures|programs|trainsets|optimizers)/",
      pathNot: `^${axFile}$`,
    },
    { path: axPackage },
  ),
];

function collectionRules(
  name: string,
  collection: Collection,
): readonly IRegularForbiddenRuleType[] {
  const from = { path: `^${name}/` };
  const others = [...Object.keys(collections), "artifacts"].filter(
    (folder) => ![name, ...collection.folders, ...collection.typesOf].includes(folder),
  );
  const rules = [
    forbid(
      `${name}-package-name`,
      `${name}/ imports the framework by its package name, as a user would`,
      from,
      { path: "^src/", dependencyTypes: ["local"], dependencyTypesNot: ["aliased-workspace"] },
    ),
    forbid(`${name}-package-door`, `${name}/ enters the framework through a door`, from, {
      path: "^src/",
      pathNot: doorFiles,
    }),
  ];
  if (others.length > 0) {
    rules.push(
      forbid(`${name}-folders`, `${name}/ does not know ${others.join(", ")}`, from, {
        path: `^(${others.join("|")})/`,
      }),
    );
  }
  if (collection.typesOf.length > 0) {
    rules.push(
      forbid(`${name}-types-only`, `${name}/ imports only types of signatures`, from, {
        path: `^(${collection.typesOf.join("|")})/`,
        dependencyTypesNot: ["type-only"],
      }),
    );
  }
  rules.push(
    forbid(
      `${name}-packages`,
      `${name}/ imports these packages of the workspace only: ${collection.packages.join(", ") || "none"}`,
      from,
      { path: "^packages/", pathNot: collection.packages.map((one) => `^packages/${one}/`) },
    ),
  );
  if (collection.npm !== "any") {
    const packages = collection.npm.map((npm) => `node_modules/${npm}/`);
    rules.push(
      forbid(`${name}-npm`, `${name}/ imports no other package`, from, {
        path: "node_modules/",
        ...(packages.length > 0 ? { pathNot: packages } : {}),
      }),
    );
  }
  if (!collection.nodeBuiltins) {
    rules.push(
      forbid(`${name}-node`, `${name}/ reads neither files nor the environment`, from, {
        dependencyTypes: ["core"],
      }),
    );
  }
  return rules;
}

const generalRules: readonly IRegularForbiddenRuleType[] = [
  forbid(
    "shipped-code-knows-no-tests",
    "What is shipped imports neither scripts nor tests",
    { path: "^(src|packages/[^/]+/src|signatures|programs|trainsets|optimizers)/" },
    { path: "^(scripts|test)/" },
  ),
  forbid(
    "scripts-know-no-tests",
    "Scripts import no tests",
    { path: "^scripts/" },
    { path: "^test/" },
  ),
  forbid("no-cycles", "No module reaches itself", {}, { circular: true }),
  forbid("resolvable", "Every import is found", {}, { couldNotResolve: true }),
];

function forbid(
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IRegularForbiddenRuleType {
  return { name, comment, severity: "error", from, to };
}
