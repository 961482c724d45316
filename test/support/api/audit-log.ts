import type { BuiltApp } from './build-app.ts';

/** The audit log as the holder of a key reads it. */
export const auditLogOf = (service: BuiltApp, headers: Record<string, string>) => {
  const read = async (query = '') =>
    (await service.call('GET', `/v1/audit-log${query}`, { headers })).json();
  return { read, newest: async () => (await read('?limit=1')).data[0] };
};
