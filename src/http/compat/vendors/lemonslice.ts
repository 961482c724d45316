import type { VendorAdapter } from '../vendor-adapter.ts';

export const lemonslice: VendorAdapter = {
  word: 'lemonslice',
  name: 'LemonSlice',
  key: [{ header: 'x-api-key' }],
  calls: [
    {
      does: 'open',
      path: '/',
      picture: ['image', 'agent_image_url'],
      jsonField: 'payload',
      room: { url: 'properties.livekit_url', token: 'properties.livekit_token' },
      avatar: ['agent_id'],
      known: ['transport_type', 'properties', 'audio_sample_rate'],
      answer: ({ id }) => ({ session_id: id }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-lemonslice',
      code: 'lemonslice.AvatarSession(api_url="{address}", api_key="YOUR_KEY", agent_id="nora")',
    },
    node: {
      package: '@livekit/agents-plugin-lemonslice',
      code: "new lemonslice.AvatarSession({ apiUrl: '{address}', apiKey: 'YOUR_KEY', agentId: 'nora' })",
    },
    environment: ['LEMONSLICE_API_KEY=YOUR_KEY', 'LEMONSLICE_API_URL={address}  # Node only'],
    differs: [
      'Prompts are accepted and not used.',
      'It joins no Zoom, Meet, Teams or Webex meetings.',
    ],
  },
};
