import { createContext, useContext } from 'react';

export type Role = 'owner' | 'builder' | 'viewer';

/** The signed-in person and their scopes. */
export type Me = {
  id: string;
  name: string;
  has_password: boolean;
  role: Role | null;
  is_operator: boolean;
  /** Null: everything of the account. */
  scopes: string[] | null;
  account: { id: string; name: string; plan: string } | null;
  version: string;
};

export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('nobody is signed in');
  return me;
}

/** `scope` is like `agents:write`; write includes read. */
export function may({ account, scopes }: Me, scope: string): boolean {
  if (!account) return false;
  if (scopes === null || scopes.includes(scope)) return true;
  return scope.endsWith(':read') && scopes.includes(scope.replace(/read$/, 'write'));
}

export const useMay = (scope: string): boolean => may(useMe(), scope);
