/**
 * What a child process may see of `env`. `names`: besides what every program needs of the system; a
 * name that ends with * stands for all that begin like it.
 */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  names?: readonly string[],
): Record<string, string | undefined>;
