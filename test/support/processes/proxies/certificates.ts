/*
 * X.509 certificates for TLS tests, written as DER (RFC 5280) and signed with ECDSA P-256: a test
 * CA, and servers below it with any name and any dates.
 */
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export type Certificate = { cert: string; key: string };

type Validity = { from: Date; to: Date };
type Issued = Certificate & { name: string; privateKey: KeyObject };

export class TestCa {
  readonly #issuer: Issued;

  constructor(name = 'Test CA') {
    const isCa = sequence(oid(2, 5, 29, 19), boolean(true), octets(sequence(boolean(true))));
    this.#issuer = issue(name, null, isCa, validNow());
  }

  /** PEM, for NODE_EXTRA_CA_CERTS. */
  get cert(): string {
    return this.#issuer.cert;
  }

  /** For `localhost` unless another name is given. */
  issue({ name = 'localhost', validity = validNow() } = {}): Certificate {
    const names = sequence(oid(2, 5, 29, 17), octets(sequence(der(0x82, Buffer.from(name)))));
    const { cert, key } = issue(name, this.#issuer, names, validity);
    return { cert, key };
  }
}

const DAY_MS = 86_400_000;

const validNow = (): Validity => ({
  from: new Date(Date.now() - DAY_MS),
  to: new Date(Date.now() + DAY_MS),
});

export const expired = (): Validity => ({
  from: new Date(Date.now() - 3 * DAY_MS),
  to: new Date(Date.now() - DAY_MS),
});

/** Self-signed without an issuer. */
function issue(
  name: string,
  issuer: Issued | null,
  extension: Buffer,
  { from, to }: Validity,
): Issued {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10_045, 4, 3, 2));
  const facts = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    // Positive and without leading zeros.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName(issuer?.name ?? name),
    sequence(time(from), time(to)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', facts, issuer?.privateKey ?? privateKey);
  const certificate = sequence(facts, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    name,
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const octets = (content: Buffer): Buffer => der(0x04, content);
const boolean = (is: boolean): Buffer => der(0x01, Buffer.from([is ? 0xff : 0]));

const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from(name)))));

/** UTCTime: YYMMDDhhmmssZ. */
const time = (at: Date): Buffer =>
  der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replaceAll(/\D/g, '')}Z`));

function oid(firstArc: number, secondArc: number, ...arcs: number[]): Buffer {
  return der(0x06, Buffer.from([40 * firstArc + secondArc, ...arcs.flatMap(septets)]));
}

/** Base 128, most significant first; all but the last have the high bit set. */
function septets(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let remainder = value >> 7; remainder > 0; remainder >>= 7)
    bytes.unshift(0x80 | (remainder & 0x7f));
  return bytes;
}
