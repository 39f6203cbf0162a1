import type { Field, FieldShape } from "../../signature/index.ts";
import type { JsonObject } from "../../contract/index.ts";

type Definitions = Readonly<Record<string, FieldShape>>;

/** What of a JSON value is shown while it is being written. */
export interface GrowthGuide {
  /** Whether a text here is shown before it is complete. */
  readonly grows: boolean;
  /** Whether `null` stands for an absent value here, and is not shown. @default false */
  readonly isAbsentAsNull?: boolean;
  /** The guide of a part; `null`: it is not shown at all. */
  at(key: string | number): GrowthGuide | null;
}

/** A value that is being written. */
export interface Growth {
  /** Takes the next piece of the text; pieces may be split anywhere. */
  add(piece: string): void;
  /** Counts what became visible so far: two equal numbers mean an equal value. */
  readonly changes: number;
  /**
   * What a snapshot costs: the entries that it copies, and of the text that grows, which whoever
   * reads its end copies, one for each `charactersPerEntry`.
   */
  readonly width: number;
  /** The value so far, which later pieces leave as it is, and the way to what is being written. */
  snapshot(): { readonly value: JsonObject; readonly growing: readonly (string | number)[] };
}

/**
 * The guide of an object with these fields. Texts grow, labels do not; a key that no shape has is
 * not shown.
 *
 * @param withheld fields that are not shown before they are final
 */
export function growthGuide(
  fields: readonly Field[],
  withheld: ReadonlySet<string> = new Set(),
): GrowthGuide {
  const guides = new Map(
    fields.flatMap((field) => {
      const { name, definitions = {} } = field;
      return withheld.has(name) ? [] : [[name, guideOf([partOf(field)], definitions)] as const];
    }),
  );
  return { grows: false, at: (key) => guides.get(String(key)) ?? null };
}

/** What may stand in a place. */
interface Part {
  readonly shape: FieldShape;
  /** Whether there may be nothing. */
  readonly isOptional: boolean;
}

function partOf({ shape, isOptional, default: given }: Field): Part {
  return { shape, isOptional: isOptional || given !== undefined };
}

const always = (shape: FieldShape): Part => ({ shape, isOptional: false });

function guideOf(parts: readonly Part[], definitions: Definitions): GrowthGuide {
  const known = new Map<string | number, GrowthGuide | null>();
  let flat: readonly FieldShape[] | undefined;
  const options = (): readonly FieldShape[] =>
    (flat ??= parts.flatMap(({ shape }) => alternatives(shape, definitions)));
  const partAt = (key: string | number): GrowthGuide | null => {
    if (options().some(({ kind }) => kind === "passages")) return anything;
    const held = options().flatMap((shape) => partsAt(shape, key));
    return held.length === 0 ? null : guideOf(held, definitions);
  };
  return {
    get grows() {
      return options().some(({ kind }) => kind === "text");
    },
    get isAbsentAsNull() {
      return parts.every(({ shape, isOptional }) => isOptional && !mayBeNull(shape, definitions));
    },
    at: (key) => {
      // All places of a list that is no tuple have one guide.
      const isTuple = options().some(({ kind }) => kind === "tuple");
      const place = typeof key === "number" && !isTuple ? 0 : key;
      const before = known.get(place);
      if (before !== undefined) return before;
      const guide = partAt(key);
      known.set(place, guide);
      return guide;
    },
  };
}

const anything: GrowthGuide = { grows: true, at: () => anything };

/** The shapes that a value may have, none of which stands for others. */
function alternatives(shape: FieldShape, definitions: Definitions): readonly FieldShape[] {
  switch (shape.kind) {
    case "nullable":
      return alternatives(shape.of, definitions);
    case "union":
      return shape.of.flatMap((each) => alternatives(each, definitions));
    case "reference": {
      const meant = definitions[shape.to];
      return meant === undefined ? [] : alternatives(meant, definitions);
    }
    default:
      return [shape];
  }
}

function mayBeNull(shape: FieldShape, definitions: Definitions): boolean {
  switch (shape.kind) {
    case "nullable":
      return true;
    case "constant":
      return shape.values.includes(null);
    case "union":
      return shape.of.some((each) => mayBeNull(each, definitions));
    case "reference": {
      const meant = definitions[shape.to];
      return meant !== undefined && mayBeNull(meant, definitions);
    }
    default:
      return false;
  }
}

function partsAt(shape: FieldShape, key: string | number): readonly Part[] {
  if (typeof key === "number") {
    if (shape.kind === "list") return [always(shape.items)];
    if (shape.kind === "conversation") return [always(turn)];
    if (shape.kind !== "tuple") return [];
    const held = shape.items[key] ?? shape.rest;
    return held === undefined ? [] : [always(held)];
  }
  if (shape.kind === "record") return [always(shape.values)];
  if (shape.kind !== "object") return [];
  const field = shape.fields.find(({ name }) => name === key);
  return field === undefined ? [] : [partOf(field)];
}

const member = (name: string, shape: FieldShape): Field => ({
  name,
  description: "",
  shape,
  isOptional: false,
  refinements: [],
});

const turn: FieldShape = {
  kind: "object",
  fields: [
    member("speaker", { kind: "label", options: ["user", "assistant"] }),
    member("text", { kind: "text" }),
  ],
};

/** Copying a text is that much cheaper than copying entries. */
export const charactersPerEntry = 16;
const entriesPerCharacter = 64;

/** Whether a snapshot is due: by this pace all of them together take time linear in the reply. */
export function isDue({ width }: Growth, unreadCharacters: number): boolean {
  return unreadCharacters * entriesPerCharacter >= width;
}
