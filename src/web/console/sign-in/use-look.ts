import { useQuery } from '@tanstack/react-query';
import type { Role } from '../service/me.ts';
import { call } from '../service/service.ts';

type Link = {
  kind: 'sign_in' | 'invitation';
  account: { id: string; name: string } | null;
  role: Role | null;
  is_operator: boolean;
  name: string | null;
};

/** The purpose of a link. Asking does not use it up. */
export function useLook(code: string): { link: Link | undefined; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ['link', code],
    queryFn: () => call<Link>('POST', '/console/api/links/look', { code }),
    staleTime: Infinity,
  });
  return { link: data, error };
}
