import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { apiReport } from "../../scripts/docs/api-report.ts";

const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    exports: {
      ".": { "espalier:source": "./src/index.ts" },
      "./lm": { "espalier:source": "./src/lm/index.ts" },
      "./signatures/*": { "espalier:source": "./signatures/*.ts" },
    },
  }),
  "tsconfig.build.json": JSON.stringify({
    compilerOptions: { declaration: true, stripInternal: true, allowImportingTsExtensions: true },
  }),
  "src/index.ts": `
    export type * from "./ask.ts";
    export { ask as question } from "./ask.ts";
    export { limit } from "./ask.ts";
  `,
  "src/lm/index.ts": `export { limit, Server } from "../ask.ts";`,
  "src/ask.ts": `
    /** Not in the report. */
    export const limit: number = 8;
    export function ask(text: string): Reply;
    export function ask(text: string, options: Options): Reply;
    export function ask(text: string, options?: Options): Reply {
      return { text: text + String(options?.seed) };
    }
    export interface Reply { readonly text: string }
    interface Options extends Seeded {
      /** @internal */
      readonly hidden?: boolean;
    }
    interface Seeded { readonly seed: number }
    export class Server { #calls = 0; call(): number { return ++this.#calls; } }
  `,
};
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  const root = mkdtempSync(join(tmpdir(), "api-report-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  pages = await apiReport(root);
});

test("the report has a page for each door, and one of what they name beside", () => {
  expect([...pages.keys()]).toEqual(["espalier.api.md", "lm.api.md", "unexported.api.md"]);
});

test("a door's page declares its exports in order, without comments and bodies", () => {
  expect(pages.get("espalier.api.md")).toMatchInlineSnapshot(`
    "# espalier

    \`\`\`ts
    export interface Reply {
      readonly text: string;
    }

    export declare const limit: number;

    export { ask as question } from "unexported";
    \`\`\`
    "
  `);
});

test("what another door declares is referred to", () => {
  expect(pages.get("lm.api.md")).toMatchInlineSnapshot(`
    "# espalier/lm

    \`\`\`ts
    export declare class Server {
      #private;
      call(): number;
    }

    export { limit } from "espalier";
    \`\`\`
    "
  `);
});

test("types that no door exports are declared too, as far as others name them", () => {
  expect(pages.get("unexported.api.md")).toMatchInlineSnapshot(`
    "# unexported

    \`\`\`ts
    interface Options extends Seeded {}

    interface Seeded {
      readonly seed: number;
    }

    declare function ask(text: string): Reply;
    declare function ask(text: string, options: Options): Reply;
    \`\`\`
    "
  `);
});
