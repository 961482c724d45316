/* Explains to the session's owner why a room could not be joined. Never contains the room token. */
import { AddressRefused } from '#shared/network/address-policy.ts';

/** `host` without the brackets of an IPv6 address. */
export type Target = { host: string; port: number };

const PORTS: Record<string, number> = { 'wss:': 443, 'https:': 443 };

export function targetOf(url: string): Target {
  const { protocol, hostname, port } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (PORTS[protocol] ?? 80) : Number(port),
  };
}

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'connection refused by',
  ECONNRESET: 'connection closed by',
  EAI_AGAIN: 'no address found for',
  ENOTFOUND: 'no address found for',
  EHOSTUNREACH: 'no route to',
  ENETUNREACH: 'no route to',
  ETIMEDOUT: 'no answer from',
};

/** Node's codes of a certificate that is not trusted, and of a server without TLS. */
const TLS_CODE = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$)/;

/** Why the connection to `target` failed. */
export function failureOf(error: unknown, target: Target): string {
  if (error instanceof AddressRefused) return `${textOf(target)} is not allowed. ${error.message}`;
  if (isTlsFailure(error)) return `TLS with ${textOf(target)} failed`;
  return `${BY_CODE[codeOf(error)] ?? 'no connection to'} ${textOf(target)}`;
}

export const isTlsFailure = (error: unknown): boolean => TLS_CODE.test(codeOf(error));

/** Node's code; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Why a server did not switch to a WebSocket. `status`: its answer. */
export function answerOf(status: number, target: Target): string {
  const at = textOf(target);
  if (status === 401) return `${at} refused the token`;
  if (status >= 300 && status < 400) return `${at} redirects to another address`;
  return `${at} answered ${status}`;
}

/** Why the client did not join although it reached the server. `message`: the client's error. */
export function refusalOf(message: string, target: Target): string {
  const at = textOf(target);
  const status = Number(/(?:client|server) error: (\d{3})/.exec(message)?.[1] ?? 0);
  // The relay's own answer: the client sends its credentials to no server but the first.
  if (status === 407) return `${at} redirects to another address`;
  if (status !== 0) return answerOf(status, target);
  if (/TLS|certificate/.test(message)) return `TLS with ${at} failed`;
  if (/timed out|timeout/i.test(message)) return `no answer from ${at}`;
  if (/handshake|protocol error/i.test(message)) return `${at} is not a media server`;
  return `${at} did not let the avatar in`;
}

export const textOf = ({ host, port }: Target): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
