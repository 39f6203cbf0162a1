import type { Template } from "./templates.ts";

/** What to do with a new project, as lines. */
export function nextSteps({
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
        files === "" ? "" : "not published yet: `npm pack` makes them in a checkout",
      ],
      ["npx espalier eval study.ts", "with a mock LM, at once"],
      ["npx espalier optimize study.ts --budget small", "a whole search, with the mock LM"],
      ["npm test", "the tests of the project"],
      ["npm run check", "its types, by tsc"],
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
