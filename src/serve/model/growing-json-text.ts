import type { JsonObject, JsonSchema } from "../../contract/index.ts";
import { isObject } from "../../internal/index.ts";
import { isSchema, namesIn, resolved } from "./schema-references.ts";

interface ObjectFrame {
  readonly kind: "object";
  readonly properties: JsonSchema;
  readonly names: readonly string[];
  readonly required: ReadonlySet<string>;
  /** Whether keys that the schema does not name are printed. */
  readonly isOpen: boolean;
  readonly printed: Set<string>;
  next: number;
  /** Further keys that are to be printed. */
  others: string[];
}

/** What is being printed at one depth. */
type Frame =
  | { readonly kind: "text"; sent: number }
  | { readonly kind: "list"; readonly items: JsonSchema; next: number }
  | ObjectFrame;

/**
 * Prints a value that grows as JSON text, each time what is new of it: the text of `projected()`,
 * with the properties in the schema's order, which wait for those before them. A printer goes on
 * where it stopped, so all its work together is linear in the text. A value that does not continue
 * what was printed adds nothing.
 *
 * @returns a function of the value so far and of where it grows (`null`: nowhere)
 */
export function growingJsonText(
  root: JsonSchema,
): (value: unknown, growing: readonly (string | number)[] | null) => string {
  const frames: Frame[] = [];
  const path: (string | number)[] = [];
  let hasBegun = false;

  return (value, growing) => {
    let text = "";
    const held: unknown[] = [value];
    for (const key of path) held.push(partOf(held.at(-1), key));
    if (!frames.every((frame, depth) => continues(held[depth], frame))) return "";
    const isGrowing = (): boolean =>
      growing !== null && path.every((key, depth) => growing[depth] === key);
    const leave = (): void => {
      path.pop();
      held.pop();
    };
    const close = (mark: string): true => {
      text += mark;
      frames.pop();
      leave();
      return true;
    };
    const begin = (each: unknown, schema: JsonSchema): true => {
      if (typeof each === "string") {
        text += '"';
        frames.push({ kind: "text", sent: 0 });
      } else if (Array.isArray(each)) {
        const { items } = resolved(schema, root);
        text += "[";
        frames.push({ kind: "list", items: isSchema(items) ? items : {}, next: 0 });
      } else if (typeof each === "object" && each !== null) {
        text += "{";
        frames.push(objectFrame(resolved(schema, root)));
      } else {
        text += JSON.stringify(each);
        leave();
      }
      return true;
    };
    const enter = (key: string | number, each: unknown, schema: unknown): true => {
      path.push(key);
      held.push(each);
      return begin(each, isSchema(schema) ? schema : {});
    };
    const printKey = ({ printed }: ObjectFrame, name: string): void => {
      text += `${printed.size === 0 ? "" : ","}${JSON.stringify(name)}:`;
      printed.add(name);
    };
    const printProperty = (frame: ObjectFrame): boolean => {
      const object = held.at(-1) as JsonObject;
      const name = frame.names[frame.next];
      if (name === undefined) return printOther(frame, object);
      const each = Object.hasOwn(object, name) ? object[name] : undefined;
      if (each === undefined && isGrowing()) return false;
      frame.next++;
      if (each === undefined && !frame.required.has(name)) return true;
      printKey(frame, name);
      if (each !== undefined) return enter(name, each, frame.properties[name]);
      text += "null";
      return true;
    };
    const printOther = (frame: ObjectFrame, object: JsonObject): boolean => {
      if (frame.isOpen && frame.others.length === 0) {
        frame.others = Object.keys(object)
          .filter((key) => !frame.printed.has(key) && object[key] !== undefined)
          .toReversed();
      }
      const other = frame.others.pop();
      if (other === undefined) return isGrowing() ? false : close("}");
      printKey(frame, other);
      return enter(other, object[other], {});
    };
    /** Whether there was something to print. */
    const step = (frame: Frame): boolean => {
      if (frame.kind === "object") return printProperty(frame);
      if (frame.kind === "text") {
        const said = held.at(-1) as string;
        text += JSON.stringify(said.slice(frame.sent)).slice(1, -1);
        frame.sent = said.length;
        return isGrowing() ? false : close('"');
      }
      const list = held.at(-1) as readonly unknown[];
      if (frame.next === list.length) return isGrowing() ? false : close("]");
      if (frame.next > 0) text += ",";
      return enter(frame.next, list[frame.next++], frame.items);
    };

    if (!hasBegun) hasBegun = begin(value, root);
    for (let frame = frames.at(-1); frame && step(frame);) frame = frames.at(-1);
    return text;
  };
}

function partOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Whether a value may be the one of which the frame has printed a part. */
function continues(value: unknown, frame: Frame): boolean {
  if (frame.kind === "text") return typeof value === "string" && value.length >= frame.sent;
  if (frame.kind === "list") return Array.isArray(value) && value.length >= frame.next;
  return isObject(value);
}

function objectFrame(schema: JsonSchema): ObjectFrame {
  const { properties, required, additionalProperties } = schema;
  const named = isSchema(properties) ? properties : {};
  return {
    kind: "object",
    properties: named,
    names: Object.keys(named),
    required: new Set(namesIn(required)),
    isOpen: additionalProperties !== false || !isSchema(properties),
    printed: new Set(),
    next: 0,
    others: [],
  };
}
