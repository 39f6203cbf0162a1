import type { Field, FieldShape } from "../../signature/index.ts";
import type { GrowthGuide } from "./growth.ts";

type Definitions = Readonly<Record<string, FieldShape>>;

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
    fields.flatMap(({ name, shape, definitions = {} }) =>
      withheld.has(name) ? [] : [[name, guideOf([shape], definitions)] as const],
    ),
  );
  return { grows: false, at: (key) => guides.get(String(key)) ?? null };
}

function guideOf(shapes: readonly FieldShape[], definitions: Definitions): GrowthGuide {
  const known = new Map<string | number, GrowthGuide | null>();
  let flat: readonly FieldShape[] | undefined;
  const options = (): readonly FieldShape[] =>
    (flat ??= shapes.flatMap((shape) => alternatives(shape, definitions)));
  const partAt = (key: string | number): GrowthGuide | null => {
    if (options().some(({ kind }) => kind === "passages")) return anything;
    const parts = options().flatMap((shape) => partsAt(shape, key));
    return parts.length === 0 ? null : guideOf(parts, definitions);
  };
  return {
    get grows() {
      return options().some(({ kind }) => kind === "text");
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

function partsAt(shape: FieldShape, key: string | number): readonly FieldShape[] {
  if (typeof key === "number") {
    if (shape.kind === "list") return [shape.items];
    if (shape.kind === "conversation") return [turn];
    if (shape.kind !== "tuple") return [];
    const held = shape.items[key] ?? shape.rest;
    return held === undefined ? [] : [held];
  }
  if (shape.kind === "record") return [shape.values];
  if (shape.kind !== "object") return [];
  const field = shape.fields.find(({ name }) => name === key);
  return field === undefined ? [] : [field.shape];
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
