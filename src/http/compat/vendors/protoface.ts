import { BOTROOM_PROTOCOL } from '#protocol/botroom/records.ts';
import type { VendorAdapter } from '../vendor-adapter.ts';

export const protoface: VendorAdapter = {
  word: 'protoface',
  name: 'Protoface',
  key: [{ header: 'authorization', scheme: 'Bearer' }],
  calls: [
    {
      does: 'open',
      path: '/v1/sessions',
      room: { url: 'transport.url', token: 'transport.worker_token' },
      avatar: ['avatar_id'],
      maxSeconds: 'max_duration_seconds',
      known: ['transport'],
      answer: ({ id }) => ({ id, status: 'starting' }),
    },
    {
      does: 'open',
      transport: 'botroom',
      path: '/v1/pipecat/sessions',
      avatar: ['avatar_id'],
      maxSeconds: 'max_duration_seconds',
      known: ['metadata', 'relay_mode'],
      answer: ({ id, botroom }) => ({
        session: { id, status: 'starting' },
        relay: {
          type: 'websocket',
          media_url: botroom?.url,
          media_token: botroom?.token,
          protocol: BOTROOM_PROTOCOL,
          audio_sample_rate: 16_000,
        },
      }),
    },
    {
      does: 'end',
      method: 'POST',
      path: '/v1/sessions/:id/end',
      session: ':id',
      answer: ({ id }) => ({ id, status: 'ended' }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-protoface',
      code: 'protoface.AvatarSession(api_url="{address}", api_key="YOUR_KEY", avatar_id="nora")',
    },
    pipecat: {
      package: 'pipecat-protoface',
      code: 'ProtofaceVideoService(api_url="{address}", api_key="YOUR_KEY", avatar_id="nora")',
    },
    environment: ['PROTOFACE_API_URL={address}', 'PROTOFACE_API_KEY=YOUR_KEY'],
    differs: [
      'Sound has 48 kHz: set `audio_out_sample_rate=48_000` of a Pipecat transport, which resamples it late.',
    ],
  },
};
