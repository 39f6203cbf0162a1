import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(resolve(repository, path), "utf8");

test.each(["README.md", "AGENTS.md", "CONTRIBUTING.md", "CLAUDE.md", "programs/README.md"])(
  "every link of %s leads to a file",
  (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = ""]) => target);
    const local = targets.filter((target) => !/^https?:/.test(target));
    expect(local.length).toBeGreaterThan(0);
    expect(
      local.filter((target) => !existsSync(resolve(repository, dirname(page), target))),
    ).toEqual([]);
  },
);

test("the README gives a reason for each dependency, and for no other", () => {
  const manifest: Record<"dependencies" | "devDependencies", Record<string, string>> = JSON.parse(
    read("package.json"),
  );
  const rows = read("README.md").split("## Dependencies")[1]?.split("\n## ")[0] ?? "";
  const named = rows
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) =>
      [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
  const declared = [
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.devDependencies).map((name) => name.replace(/^@types\/.*/, "@types/*")),
  ];
  expect(new Set(named)).toEqual(new Set(declared));
});

test("the README names every door of the package", () => {
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(read("package.json"));
  const doors = Object.keys(exports).filter((door) => !/[.]json$|[*]/.test(door));
  const rows = read("README.md").split("## Doors")[1]?.split("\n## ")[0] ?? "";
  const named = [...rows.matchAll(/^\| `([^`]+)`/gm)].map(([, door = ""]) => door);
  expect(new Set(named)).toEqual(new Set(doors.map((door) => door.replace(".", "espalier"))));
});
