import { randomBytes } from 'node:crypto';
import { callMessageRecords, type CallMessage } from '../../../src/records/calls/call-messages.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { encryptorAt } from '../records/encryptor.ts';
import type { BuiltApp } from '../api/build-app.ts';

/** Writes the transcript of a call straight to the records. */
export async function keepMessages(
  { place, clock }: BuiltApp,
  callId: string,
  messages: readonly Pick<CallMessage, 'sender' | 'message' | 'latency'>[],
): Promise<void> {
  const records = place.open();
  const lists = new Lists(randomBytes(32));
  const kept = callMessageRecords(records, await encryptorAt(place, records), lists);
  for (const [index, message] of messages.entries()) {
    await kept.add(callId, `line ${index}`, { ...message, sentAt: clock.now() }, async () => {});
  }
  await records.destroy();
}
