/** Makes a value on the first call, and returns it from then on. */
export function once<Made>(make: () => Made): () => Made {
  let result: { value: Made } | undefined;
  return () => (result ??= { value: make() }).value;
}
