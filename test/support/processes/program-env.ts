const { PATH, NODE_COMPILE_CACHE } = process.env;

/** What every program of ours gets in tests. `npm test` keeps compiled code: compiling is a third of a start, and a killed program keeps none. */
export const programEnv: NodeJS.ProcessEnv = {
  PATH,
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};
