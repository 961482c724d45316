import { expect, test } from 'vitest';
import { Child } from '../rpc.ts';

test('the floor answers with the schemas of the service', async () => {
  const floor = new Child(new URL('./api-floor.ts', import.meta.url));
  try {
    const url = await floor.ask<string>('listen');
    const answer = await fetch(`${url}/v1/sessions`);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { length: 10 }, has_more: false });
  } finally {
    floor.kill();
  }
});
