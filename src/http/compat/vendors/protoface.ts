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
    environment: ['PROTOFACE_API_URL={address}', 'PROTOFACE_API_KEY=YOUR_KEY'],
    differs: [],
  },
};
