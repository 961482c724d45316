const { PATH, NODE_COMPILE_CACHE } = process.env;

/** Environment of programs in tests. Compiling is a third of a start: compiled code is kept. */
export const programEnv: NodeJS.ProcessEnv = {
  PATH,
  // Not the `.env` of the person who runs the tests.
  TROUPE_ENV_FILE: '/dev/null',
  // A busy machine must not change the pictures that a test judges.
  LOWEST_QUALITY: 'full',
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};
