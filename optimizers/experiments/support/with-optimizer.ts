import type { Optimizer } from "espalier/optimizer";
import type { Study } from "espalier";
import { study } from "espalier";
import type { Parts } from "espalier/servers";

/** A row of a study, and of each of its variants, that another optimizer searches. */
export function withOptimizer(
  made: (parts: Parts) => Promise<Study>,
  optimizer: Optimizer,
): (parts: Parts) => Promise<Study> {
  const searched = (given: Study): Study => {
    const { variants = {} } = given;
    return study({
      ...given,
      optimizer,
      variants: Object.fromEntries(
        Object.entries(variants).map(([name, make]) => [name, async () => searched(await make())]),
      ),
    });
  };
  return async (parts) => searched(await made(parts));
}
