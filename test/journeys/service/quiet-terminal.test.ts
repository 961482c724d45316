/* The terminal of `npm start` while people use the service. */
import { afterEach, expect, test } from 'vitest';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { startService, type OwnService } from '../../support/processes/service.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

type Call = { id: string; livekit_url: string; livekit_token: string };

/** Lines of all programs about rooms that end. A busy machine may print others. */
const ABOUT_ENDS =
  /stale report|data channel|request sink|reading stream|agent state|playback_finished|interrupted|reach the avatar|signal to the user|Abort/;

let service: OwnService;
afterEach(() => service?.stop());

test('a call that ends while its avatar speaks prints nothing of it', async () => {
  service = await startService();
  const { id: agent } = await service.make('/v1/agents', {
    name: FIRST_AVATAR.name,
    avatar_id: FIRST_AVATAR.alias,
    greeting: 'Hello! '.repeat(30),
  });
  const call = await service.make<Call>('/v1/calls', { agent_id: agent });
  const viewer = new AvatarViewer('avatar_worker');
  await viewer.join(call.livekit_url, call.livekit_token);
  await viewer.hearsSpeech(1);
  const startText = service.printed();

  await service.make(`/v1/calls/${call.id}/end`, {});
  await viewer.leave();

  const logs = async (program: 'control' | 'media-server', text: string) =>
    (await service.logOf(program)).includes(text);
  await until(() => logs('control', 'stale report'));
  await until(() => logs('media-server', 'error reading data channel'));
  // Its last lines are printed then.
  await service.stop();
  const lines = service.printed().slice(startText.length).split('\n');
  expect(lines).toContain('Stopping.');
  expect(lines.filter((line) => ABOUT_ENDS.test(line))).toEqual([]);
});
