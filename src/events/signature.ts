/* Standard Webhooks (standardwebhooks.com): receivers check a delivery with that project's libraries, or in a few lines of their own. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;

export const newSigningSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** `id` is the event's, the same at each try: by it a receiver knows what it has had already. `at` is the time of the try. */
export function signedHeaders(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const time = new Date(at);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, time, body),
  };
}
