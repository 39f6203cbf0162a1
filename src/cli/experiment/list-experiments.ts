import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { loadExperiment } from "../load/load-experiment.ts";
import { unaskedParts } from "../lm/unasked-parts.ts";
import { joinLines, print } from "../terminal/terminal.ts";

/**
 * The shipped experiments, as paths from the working folder.
 *
 * @throws EspalierError `file-missing` where the package lies without them
 */
function shippedExperiments(): readonly string[] {
  const folder = shippedFolder();
  if (folder === undefined) {
    throw new EspalierError({
      code: "file-missing",
      problem: "This installation contains no experiments",
      where: root(),
      expected: `${folderName}, compiled or as sources`,
      fix: "Build or install the package again, or name a file with your own experiment.",
    });
  }
  return readdirSync(folder)
    .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith(".d.ts"))
    .toSorted()
    .map((name) => relative(process.cwd(), join(folder, name)));
}

const folderName = join("optimizers", "experiments");

/** As sources in a checkout, compiled where the package is installed. */
function shippedFolder(): string | undefined {
  return [join(root(), folderName), join(root(), "dist", folderName)].find((path) =>
    existsSync(path),
  );
}

function root(): string {
  return dirname(createRequire(import.meta.url).resolve("espalier/package.json"));
}

/**
 * Prints one line for each shipped experiment: file, title, source; or what it lacks, such as an
 * optional package.
 */
export async function listExperiments({ json }: { readonly json: boolean }): Promise<void> {
  const found = [];
  const lines: string[] = [];
  for (const file of shippedExperiments()) {
    try {
      const { name, title, source, rows } = await loadExperiment(file, await unaskedParts());
      found.push({ file, name, title, source, rows: rows.map((row) => row.name) });
      lines.push(`${file}  ${title} (${source})`);
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error;
      found.push({ file, problem: error.message });
      lines.push(`${file}  cannot be loaded: ${error.report.fix ?? error.message}`);
    }
  }
  print(json ? JSON.stringify({ experiments: found }) : joinLines(lines));
}
