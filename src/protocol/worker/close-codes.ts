/**
 * Close codes of the worker socket, and whether the worker should reconnect. RFC 6455 leaves 4000
 * to 4999 to applications.
 */
export const CLOSE = {
  service_stopping: { code: 1001, comeBack: true },
  bad_message: { code: 4000, comeBack: true },
  not_registered: { code: 4001, comeBack: true },
  /** Invalid, or not for the id, kind or pool of this worker. */
  wrong_token: { code: 4003, comeBack: false },
  wrong_protocol: { code: 4004, comeBack: false },
  silent: { code: 4008, comeBack: true },
  /** The same worker id connected again; the newer connection wins. */
  replaced: { code: 4009, comeBack: false },
  /** The worker retries with the same token, in case its rights are restored. */
  token_revoked: { code: 4010, comeBack: true },
} as const;

export type CloseName = keyof typeof CLOSE;

/** Retries after unknown codes, such as a proxy's or those of a crash. */
export function mayComeBack(code: number): boolean {
  return Object.values(CLOSE).find((close) => close.code === code)?.comeBack ?? true;
}
