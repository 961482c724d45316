/* Verifies deliveries as Standard Webhooks (https://www.standardwebhooks.com). */
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated/models.ts';

/** The headers of the delivery, as any framework has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export type VerifyOptions = {
  /** `secret` of the webhook: `whsec_...`. While it is rotated, both secrets. */
  secret: string | string[];
  /** Older deliveries, and those from the future, are refused. Default: 300. */
  toleranceSeconds?: number;
  /** Milliseconds since the epoch. Default: now. */
  now?: number;
};

/**
 * The event, if the service has signed this body lately; else throws `WebhookVerificationError`.
 * `body`: exactly as received, before any JSON parser. Deliveries may arrive twice: the header
 * `webhook-id` is then the same.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  { secret, toleranceSeconds = 300, now = Date.now() }: VerifyOptions,
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d+$/.test(timestamp)) throw refusal('The header webhook-timestamp is not a time.');
  const ageSeconds = now / 1_000 - Number(timestamp);
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    throw refusal(`The delivery is ${Math.round(ageSeconds)} s old: compare the clocks.`);
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const each of [secret].flat()) {
    const key = await importKey(each);
    for (const signature of signatures.split(' ')) {
      if (await isRight(key, signature, signed)) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw refusal(
    'No signature is right: check the secret, and that the body is as it was received.',
  );
}

async function isRight(key: CryptoKey, signature: string, signed: BufferSource): Promise<boolean> {
  const [version, text = ''] = signature.split(',');
  const bytes = version === 'v1' ? fromBase64(text) : null;
  // Compares in constant time.
  return bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed));
}

function importKey(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0)
    throw refusal('The secret is not a webhook secret (whsec_...).');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const [text] = [value].flat();
  if (!text) throw refusal(`The header ${name} is missing.`);
  return text;
}

const refusal = (reason: string): WebhookVerificationError => new WebhookVerificationError(reason);
