import { EspalierError } from "../../../errors/index.ts";
import type { Stopper } from "../strategy/strategy.ts";

/** Ends the run as soon as any of these stoppers would. */
export function anyOf(...stoppers: readonly Stopper[]): Stopper {
  return combined("any-of", stoppers, {
    endsByItself: stoppers.some(isBound),
    decide: (details) => details.find((detail) => detail !== null) ?? null,
  });
}

/** Ends the run once all of these stoppers would end it at the same time. */
export function allOf(...stoppers: readonly Stopper[]): Stopper {
  return combined("all-of", stoppers, {
    endsByItself: stoppers.every(isBound),
    decide: (details) =>
      details.includes(null) ? null : details.filter((detail) => detail !== null).join(", and "),
  });
}

function isBound({ endsByItself = false }: Stopper): boolean {
  return endsByItself;
}

function combined(
  name: string,
  stoppers: readonly Stopper[],
  {
    endsByItself,
    decide,
  }: {
    readonly endsByItself: boolean;
    readonly decide: (details: readonly (string | null)[]) => string | null;
  },
): Stopper {
  if (stoppers.length === 0) {
    throw new EspalierError({
      code: "option-invalid",
      problem: `\`${name}\` has nothing to combine`,
      expected: "at least one stopper",
      got: "none",
    });
  }
  return {
    name,
    settings: {
      stoppers: stoppers.map((stopper) => ({ name: stopper.name, ...stopper.settings })),
    },
    looksOutside: stoppers.some(({ looksOutside }) => looksOutside === true),
    endsByItself,
    stop: (view) =>
      decide(
        stoppers.map(({ name: part, stop }) => {
          const detail = stop(view);
          return detail === null ? null : `${part}: ${detail}`;
        }),
      ),
  };
}
