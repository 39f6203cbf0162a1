import { EspalierError } from "../../errors/index.ts";
import { isObject, jsonOrUndefined } from "../../internal/index.ts";

/** A project's package.json, and what was changed in the one that stood. */
export interface ProjectManifest {
  readonly text: string;
  /** One phrase for each change; empty where it has all that is needed, or is new. */
  readonly changes: readonly string[];
  /** Packages that it asks for now, and did not before. */
  readonly added: readonly string[];
}

/** The versions that a new project asks for. */
export interface ProjectVersions {
  readonly espalier: string;
  readonly zod: string;
}

const scripts = {
  eval: "espalier eval study.ts",
  optimize: "espalier optimize study.ts",
  check: "tsc --noEmit",
  test: "node --test",
};

/** What `npm init -y` writes in place of a test. */
const noTest = 'echo "Error: no test specified" && exit 1';

/**
 * Makes a package.json, or adds to the one that stands what it lacks. Nothing in it is replaced but
 * `"type": "commonjs"` and the placeholder that `npm init` writes for a test.
 *
 * @param standing the text of the package.json that stands
 * @throws EspalierError `file-malformed` if it is no JSON object
 */
export function projectManifest(
  standing: string | undefined,
  { name, versions, path }: { name: string; versions: ProjectVersions; path: string },
): ProjectManifest {
  const dependencies = { espalier: `^${versions.espalier}`, zod: versions.zod };
  const devDependencies = {
    "@espalier/rehearsal": `^${versions.espalier}`,
    "@types/node": "^24.0.0",
    typescript: ">=5.9.0",
  };
  if (standing === undefined) {
    const made = {
      name,
      private: true,
      type: "module",
      engines: { node: ">=22.18" },
      scripts,
      dependencies,
      devDependencies,
    };
    return {
      text: asText(made),
      changes: [],
      added: Object.keys({ ...dependencies, ...devDependencies }),
    };
  }
  const found = jsonOrUndefined(standing);
  if (!isObject(found)) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "package.json cannot be read",
      expected: "a JSON object",
      where: path,
      fix: "Correct it, or name another folder.",
    });
  }
  const changes: string[] = [];
  const merged: Record<string, unknown> = { ...found };
  if (merged["type"] !== "module") {
    const before = merged["type"] === undefined ? "" : `, before ${JSON.stringify(merged["type"])}`;
    changes.push(`set "type" to "module"${before}: .js files are now read as ES modules`);
    merged["type"] = "module";
  }
  const held = { ...objectAt(found, "dependencies"), ...objectAt(found, "devDependencies") };
  const add = (key: string, wanted: Readonly<Record<string, string>>, taken: object): void => {
    const missing = Object.entries(wanted).filter(([entry]) => !Object.hasOwn(taken, entry));
    if (missing.length === 0) return;
    merged[key] = { ...objectAt(found, key), ...Object.fromEntries(missing) };
    changes.push(`added to ${key}: ${missing.map(([entry]) => entry).join(", ")}`);
  };
  const { test, ...otherScripts } = objectAt(found, "scripts");
  add("scripts", scripts, test === noTest ? otherScripts : objectAt(found, "scripts"));
  add("dependencies", dependencies, held);
  add("devDependencies", devDependencies, held);
  const wanted = Object.keys({ ...dependencies, ...devDependencies });
  return {
    text: changes.length === 0 ? standing : asText(merged),
    changes,
    added: wanted.filter((entry) => !Object.hasOwn(held, entry)),
  };
}

function objectAt(found: object, key: string): Readonly<Record<string, unknown>> {
  const value = (found as Readonly<Record<string, unknown>>)[key];
  return isObject(value) ? value : {};
}

function asText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
