import type { VendorAdapter } from '../vendor-adapter.ts';

export const did: VendorAdapter = {
  word: 'did',
  name: 'D-ID',
  key: [{ header: 'authorization', scheme: 'Basic' }],
  calls: [
    {
      does: 'open',
      path: '/v2/agents/:agent_id/sessions/join',
      room: { url: 'transport.server_url', token: 'transport.token' },
      avatar: [':agent_id'],
      known: ['transport', 'audio_config'],
      answer: ({ id }) => ({ id }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-did',
      code: 'did.AvatarSession(api_url="{address}", api_key="YOUR_KEY", agent_id="nora")',
    },
    differs: [],
  },
};
