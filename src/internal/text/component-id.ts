/** The name of a component in events and lineages, such as `instruction:answer`. */
export function componentId({
  kind,
  path,
}: {
  readonly kind: string;
  readonly path: string;
}): string {
  return `${kind}:${path}`;
}
