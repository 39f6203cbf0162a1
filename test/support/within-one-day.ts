/** What `work` finds within one day of UTC: it is begun anew where midnight comes in between. */
export async function withinOneDay<TResult>(work: () => Promise<TResult>): Promise<TResult> {
  for (;;) {
    const day = new Date().getUTCDate();
    const result = await work();
    if (new Date().getUTCDate() === day) return result;
  }
}
