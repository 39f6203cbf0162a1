import { createInterface } from "node:readline/promises";
import { basename, relative, resolve } from "node:path";
import { manifest } from "../arguments/manifest.ts";
import { print } from "../terminal/terminal.ts";
import type { InitGiven } from "./init-arguments.ts";
import { EspalierError } from "../../errors/index.ts";
import { writeProject } from "./write-project.ts";

/** Writes a project, and says what it wrote, what it left alone, and what to do next. */
export async function startProject(given: InitGiven): Promise<void> {
  const folder = resolve(given.folder ?? ".");
  const name = given.template ?? (await askedTemplate(given));
  const template = templateNamed(name);
  const { written, standing, changes, added } = await writeProject({
    folder,
    template: name,
    name: packageName(basename(folder)),
    versions: { espalier: manifest.version, zod: manifest.peerDependencies.zod },
  });
  const place = relative(process.cwd(), folder);
  const lines = [
    written.length === 0
      ? `Nothing to write to ${folder}.`
      : `Wrote to ${folder}: ${written.join(", ")}.`,
    ...(standing.length === 0 ? [] : [`Left unchanged: ${standing.join(", ")}.`]),
    ...changes.map((change) => `package.json: ${change}.`),
    "",
    ...nextSteps({
      place,
      template,
      unpublished: manifest.private === true ? packed(added) : [],
    }),
  ];
  print(lines.join("\n"));
}

/** Asks only a person: who reads answers from a file or a pipe gets the default. */
async function askedTemplate({ yes }: InitGiven): Promise<string> {
  const names = Object.keys(templates);
  const [first = ""] = names;
  if (yes || !process.stdin.isTTY || !process.stdout.isTTY) return first;
  const listed = Object.entries(templates).map(
    ([name, { about }], index) => `  ${index + 1}  ${name}: ${about}`,
  );
  print(["What do you want to start from?", ...listed].join("\n"));
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await reader.question(`Number or name (${first}): `)).trim();
    return answer === "" ? first : (names[Number(answer) - 1] ?? answer);
  } finally {
    reader.close();
  }
}

/** A folder's name as npm takes it. */
function packageName(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== "").join("-") || "project";
}

/** The files that `npm pack` makes in a checkout of the packages that a project lacks. */
function packed(added: readonly string[]): readonly string[] {
  const own = added.filter((name) => name === "espalier" || name.startsWith("@espalier/"));
  return own.map((name) => `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
}

/** What to do with a new project, as lines. */
function nextSteps({
  place,
  template,
  unpublished,
}: {
  /** The way from the working folder to the project; empty where it is the same. */
  readonly place: string;
  readonly template: Template;
  /** Files to install packages from that npm's registry does not have yet. */
  readonly unpublished: readonly string[];
}): readonly string[] {
  const files = unpublished.map((file) => ` /path/to/${file}`).join("");
  return [
    "Next:",
    ...(place === "" ? [] : [`  cd ${/^[\w./-]+$/.test(place) ? place : JSON.stringify(place)}`]),
    ...aligned([
      [
        `npm install${files}`,
        files === "" ? "" : "not published yet: `npm pack` builds them in a checkout",
      ],
      ["npx espalier eval study.ts --lm local", "a small trained model; downloads 98 MB once"],
      ["npx espalier optimize study.ts --lm local --budget small", "a whole search with it"],
      ["npx espalier eval study.ts", "a rule-based mock LM, no download"],
      ["npm test", "the tests of the project"],
      ["npm run check", "its types, with tsc"],
      ["npx espalier eval study.ts --lm http://127.0.0.1:8000/v1", "your own server"],
    ]),
    ...(template.inRehearsal === undefined ? [] : ["", template.inRehearsal]),
  ];
}

function aligned(rows: readonly (readonly [command: string, about: string])[]): readonly string[] {
  const width = Math.min(58, Math.max(...rows.map(([command]) => command.length)));
  return rows.map(([command, about]) =>
    about === "" ? `  ${command}` : `  ${command.padEnd(width)}  # ${about}`,
  );
}

interface Template {
  readonly about: string;
  /** What rehearsal cannot show of it; absent where there is nothing to say. */
  readonly inRehearsal?: string;
}

/** What a project may start from, by the names of the folders in `templates/`. */
export const templates: Readonly<Record<string, Template>> = {
  extractor: { about: "fields from messages, in one step" },
  "text-to-sql": {
    about: "questions into SQL that runs, with a repair loop",
    inRehearsal: "The mock LM knows no SQL: pass a model with --lm, or the score is 0.",
  },
  rag: { about: "answers from your own documents" },
};

/** @throws EspalierError `usage-invalid` for a name that is no template's */
function templateNamed(name: string): Template {
  const found = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `No template "${name}"`,
    expected: Object.keys(templates).join(", "),
    where: "--template",
  });
}
