import { startCli } from "./run-cli.ts";

/** `espalier serve`, from its start-up output on. */
export async function serveCli(
  args: readonly string[],
  options: NonNullable<Parameters<typeof startCli>[1]> = {},
) {
  const server = startCli(["serve", ...args, "--port", "0"], options);
  const failed = server.ended.then(({ stderr }) => {
    throw new Error(stderr);
  });
  const stdout = await Promise.race([server.printed("  routes "), failed]);
  failed.catch(() => undefined);
  return {
    url: /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0] ?? "",
    stdout,
    end: (signal: NodeJS.Signals = "SIGTERM") => {
      server.interrupt(signal);
      return server.ended;
    },
  };
}
