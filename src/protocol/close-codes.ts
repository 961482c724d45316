/** Why a worker socket is closed, and whether the worker should come back (4000..4999 are the application's by RFC 6455). */
export const CLOSE = {
  service_stopping: { code: 1001, comeBack: true },
  bad_message: { code: 4000, comeBack: true },
  not_registered: { code: 4001, comeBack: true },
  wrong_token: { code: 4003, comeBack: false },
  wrong_protocol: { code: 4004, comeBack: false },
  silent: { code: 4008, comeBack: true },
  /** The same worker id connected again: the newer connection counts. */
  replaced: { code: 4009, comeBack: false },
  /** It may come back with nothing but the same token; somebody may give it back its rights. */
  token_revoked: { code: 4010, comeBack: true },
} as const;

export type CloseName = keyof typeof CLOSE;

/** An unknown code (a proxy's, a crash) is worth another try. */
export function mayComeBack(code: number): boolean {
  return Object.values(CLOSE).find((close) => close.code === code)?.comeBack ?? true;
}
