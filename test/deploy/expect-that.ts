export function expectThat(isTrue: unknown, problem: string): asserts isTrue {
  if (!isTrue) throw new Error(problem);
}
