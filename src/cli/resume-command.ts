/** The same words, with the run's folder in place of what named one. */
export function resumeCommand(rawArgs: readonly string[], runFolder: string): string {
  const kept = rawArgs.filter((argument, place) => {
    const before = rawArgs[place - 1];
    const isNamed = (name: string): boolean => argument === name || argument.startsWith(`${name}=`);
    return !isNamed("--resume") && !isNamed("--run") && before !== "--resume" && before !== "--run";
  });
  const words = ["espalier", "optimize", ...kept, "--resume", runFolder];
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
