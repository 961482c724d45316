import path from 'node:path';

/** The folder that Troupe keeps for this user outside of DATA_DIR. Null without a home. */
export function cacheFolder(env: Record<string, string | undefined>): string | null {
  const home = env['XDG_CACHE_HOME'] || (env['HOME'] && path.join(env['HOME'], '.cache'));
  const base = home || env['LOCALAPPDATA'];
  return base ? path.join(base, 'troupe') : null;
}
