/**
 * Splits parameters into groups that were active together or not at all in every trial, so that
 * each group has joint observations. After `_SearchSpaceGroup` of Optuna 5.0.0, which calls it
 * group decomposition.
 *
 * @param active names of the parameters of each trial, in the order of the trials
 */
export function parameterGroups(
  active: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  let groups: readonly (readonly string[])[] = [];
  for (const names of active) {
    let left = names;
    const next: (readonly string[])[] = [];
    for (const group of groups) {
      next.push(
        group.filter((name) => left.includes(name)),
        group.filter((name) => !left.includes(name)),
      );
      left = left.filter((name) => !group.includes(name));
    }
    groups = [...next, left].filter(({ length }) => length > 0);
  }
  return groups;
}
