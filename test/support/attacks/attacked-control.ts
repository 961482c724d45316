import { startControlProcess, type ControlProcess } from '../processes/control-process.ts';
import { newPlace } from '../records/database.ts';

export const ATTACKER_KEY = 'key-of-the-account-that-attacks';
export const WORKER_TOKEN = 'a token that workers know';

/** A control plane in its own process with records of its own. */
export async function attackedControl(
  env: Record<string, string> = {},
): Promise<ControlProcess & { close(): Promise<void> }> {
  const place = await newPlace();
  const control = await startControlProcess({
    ...place.env,
    TROUPE_API_KEY: ATTACKER_KEY,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000',
    ...env,
  });
  return {
    ...control,
    async close() {
      await control.kill();
      await place.remove();
    },
  };
}
