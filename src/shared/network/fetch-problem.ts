/**
 * Why `fetch` failed. Its error hides the reason in `cause`, which has only a code if the host name
 * leads to several addresses.
 */
export function fetchProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
