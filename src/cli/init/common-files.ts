/** Files that every project gets, whatever it starts from, besides package.json. */
export const commonFiles: Readonly<Record<string, string>> = {
  ".gitignore": ["node_modules/", ".espalier/", ""].join("\n"),
  "tsconfig.json": `${JSON.stringify(
    {
      compilerOptions: {
        target: "es2024",
        module: "nodenext",
        types: ["node"],
        strict: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        // Node.js runs these files by removing their types, without a build.
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
      },
      include: ["**/*.ts"],
    },
    null,
    2,
  )}\n`,
};
