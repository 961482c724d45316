import { useRead } from '../service/queries.ts';

type Ways = { this_machine: boolean; password: boolean; openid: { name: string } | null };

/** How people may sign in to this service. */
export const useWays = () => useRead<Ways>('/console/api/ways');
