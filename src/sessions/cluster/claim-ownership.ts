import type { SessionOwnership } from '../../cluster/session-ownership.ts';

/** Makes this control plane the owner. False: another one owns the session. */
export async function claimOwnership(
  ownership: SessionOwnership | undefined,
  sessionId: string,
): Promise<boolean> {
  return (await ownership?.claim(sessionId)) ?? true;
}
