/** Calls of an LM that answers after 20 ms, and the maximum of them in flight. */
export function pacedCall(): { readonly call: () => Promise<void>; readonly most: () => number } {
  let [now, most] = [0, 0];
  return {
    call: async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now--;
    },
    most: () => most,
  };
}
