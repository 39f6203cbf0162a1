/**
 * Components in the order in which they are to be tried: from the pointer on, around. The pointer then
 * stands behind the one that is taken.
 */
export function roundRobin<TComponent>(
  components: readonly TComponent[],
  pointer: number,
): readonly { readonly component: TComponent; readonly next: number }[] {
  return components.map((_, step) => {
    const place = (pointer + step) % components.length;
    return {
      component: components[place] as TComponent,
      next: (place + 1) % components.length,
    };
  });
}
