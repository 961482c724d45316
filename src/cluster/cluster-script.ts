import { readFileSync } from 'node:fs';
import type { RedisConnection, RedisScript } from './redis-connection.ts';

const lua = readFileSync(new URL('cluster.lua', import.meta.url), 'utf8');

/** The commands of cluster.lua: key prefix, command, arguments. */
export const clusterScript = (redis: RedisConnection): RedisScript => redis.script('cluster', lua);
