import type { RandomSource } from "espalier";

/** Where hostile text would act: in a page, in a terminal. */
export const hostileText = `"'><img src=x onerror="document.title='X'"><script>document.title='X'</script></style></title></pre>`;
const escapes = "\u001b]0;OWNED\u0007\u001b[2J\u009b31m\u202e";
const odd = [
  null,
  0,
  -1,
  1e308,
  1.5,
  "",
  "x",
  hostileText,
  escapes,
  "__proto__",
  [],
  {},
  [[]],
  true,
];

/** Changes up to three places of values of JSON: drops, replaces, and adds a key `__proto__`. */
export function mutateValues(values: readonly object[], random: RandomSource): void {
  for (let change = 0; change <= random.below(3); change++) {
    const places = values.flatMap((value) => placesIn(value));
    if (places.length === 0) return;
    const { holder, key } = random.choice(places);
    const what = random.below(10);
    if (what < 2) delete holder[key];
    else if (what < 3) {
      const polluted = {
        value: { polluted: 1 },
        enumerable: true,
        configurable: true,
        writable: true,
      };
      Object.defineProperty(holder, "__proto__", polluted);
    } else holder[key] = random.choice(odd);
  }
}

/** JSON of one value, changed as a value or as bytes. */
export function mutatedJson(json: string, random: RandomSource): string {
  if (random.below(10) < 7) {
    const value = [JSON.parse(json) as unknown];
    mutateValues([value], random);
    return JSON.stringify(value[0]) ?? "null";
  }
  if (random.below(2) === 0) return json.slice(0, random.below(json.length));
  return random.choice(["", "null", "[]", "{}", '"x"', "1e999", "[".repeat(5_000), "{bad"]);
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}
