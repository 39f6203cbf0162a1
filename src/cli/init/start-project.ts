import { createInterface } from "node:readline/promises";
import { basename, relative, resolve } from "node:path";
import { manifest } from "../arguments/manifest.ts";
import { print } from "../terminal/terminal.ts";
import type { InitGiven } from "./init-arguments.ts";
import { nextSteps } from "./next-steps.ts";
import { templateNamed, templates } from "./templates.ts";
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
      ? `Nothing to write into ${folder}.`
      : `Wrote into ${folder}: ${written.join(", ")}.`,
    ...(standing.length === 0 ? [] : [`These stand as they were: ${standing.join(", ")}.`]),
    ...changes.map((change) => `package.json: ${change}.`),
    "",
    ...nextSteps({ place, template, unpublished: manifest.private === true ? packed(added) : [] }),
  ];
  print(lines.join("\n"));
}

/** Asks only a person: who reads answers from a file or a pipe gets the default. */
async function askedTemplate({ yes }: InitGiven): Promise<string> {
  const names = Object.keys(templates);
  const [first = ""] = names;
  if (yes || !process.stdin.isTTY || !process.stdout.isTTY) return first;
  const listed = Object.entries(templates).map(
    ([name, { about }], place) => `  ${place + 1}  ${name}: ${about}`,
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
  const own = added.filter((name) => name === "espalier" || name === "@espalier/rehearsal");
  return own.map((name) => `${name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
}
