import type { Log } from '#shared/log.ts';

const UNKNOWN_CA =
  'its certificate is not signed by a trusted authority: set NODE_EXTRA_CA_CERTS to the PEM file of its CA and restart the worker; the server must send its intermediate certificates';
const NO_TLS = 'the server does not speak TLS on this port: correct CONTROL_URL';

/** Advice by error code of Node and OpenSSL. */
const ADVICE: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  CERT_SIGNATURE_FAILURE: UNKNOWN_CA,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for other host names: use one of them in CONTROL_URL, or issue a certificate for this one',
  CERT_HAS_EXPIRED:
    'its certificate has expired: renew it at the control plane, or correct this machine’s clock',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: correct this machine’s clock',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};
/** Node reports every protocol error as EPROTO. */
const IS_NO_TLS = /wrong version number|packet length too long/i;

/** Logs advice on failed TLS connections, once per cause until a connection succeeds. */
export class TlsFaults {
  readonly #controlUrl: string;
  readonly #log: Log;
  readonly #logged = new Set<string>();

  constructor(controlUrl: string, log: Log) {
    this.#controlUrl = new URL(controlUrl).origin;
    this.#log = log;
  }

  failed(error: NodeJS.ErrnoException): void {
    const { code = '', message } = error;
    const advice = code === 'EPROTO' && IS_NO_TLS.test(message) ? NO_TLS : ADVICE[code];
    if (!advice || this.#logged.has(code)) return;
    this.#logged.add(code);
    this.#log.error(
      { controlUrl: this.#controlUrl, code, reason: message, advice },
      'TLS connection to the control plane failed',
    );
  }

  succeeded(): void {
    this.#logged.clear();
  }
}
