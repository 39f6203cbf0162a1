/** Keys for sources by their paths: the last part, with a number behind where two are alike. */
export function sourceKeys(paths: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
    const last = (parts.at(-1) ?? "").replace(/\.json$/, "");
    const name = last.replaceAll(/[^\w.-]+/g, "-").slice(0, 80) || "source";
    let key = name;
    for (let number = 2; taken.has(key); number++) key = `${name}-${number}`;
    taken.add(key);
    return key;
  });
}
