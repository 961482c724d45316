/**
 * The variables of `env` that a child process may see: those that every program may need, and
 * `names`. A name that ends with * stands for a prefix.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  names?: readonly string[],
): Record<string, string | undefined>;
