import { expect, it } from "vitest";
import { linesOfPython, linesOfTypeScript } from "./lines-of-code.ts";

it("counts lines of TypeScript that hold code", () => {
  const text = [
    "/** What it is. */",
    'import { a } from "a"; // why',
    "",
    "/*",
    " * Long.",
    " */",
    "export const b = `one",
    "",
    "three ${a(",
    "  // inside",
    "  1,",
    ")}`;",
  ];
  // The blank line inside of the template is part of its text.
  expect(linesOfTypeScript(text.join("\n"))).toBe(6);
});

it("counts lines of Python that hold code, with docstrings of functions", () => {
  const text = [
    '"""What',
    'it is."""',
    "",
    "# why",
    "def a():",
    '    """Says a."""',
    "    return 1",
  ];
  expect(linesOfPython(text.join("\n"))).toBe(3);
});
