import type { Adoption, SessionOwnership } from '../../cluster/session-ownership.ts';

/** Makes this control plane the owner of a session that it has. False: another one owns it. */
export async function claimOwnership(
  ownership: SessionOwnership | undefined,
  sessionId: string,
): Promise<boolean> {
  return (await ownership?.claim(sessionId)) ?? true;
}

/** The same for a session that it knows from the records only. */
export async function adoptOwnership(
  ownership: SessionOwnership | undefined,
  sessionId: string,
): Promise<Adoption> {
  return (await ownership?.adopt(sessionId)) ?? 'owned';
}
