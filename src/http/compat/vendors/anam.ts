import type { VendorAdapter, Reads } from '../vendor-adapter.ts';

const bearer = { header: 'authorization', scheme: 'Bearer' } as const;

const reads = {
  room: { url: 'environment.livekitUrl', token: 'environment.livekitToken' },
  avatar: ['personaConfig.avatarId', 'personaConfig.personaId'],
  known: ['personaConfig.type', 'personaConfig.name', 'personaConfig.llmId'],
} satisfies Reads;

export const anam: VendorAdapter = {
  word: 'anam',
  name: 'Anam',
  key: [bearer],
  calls: [
    // Up to 1.8.0, and from Node, the body comes here and the session is opened with the token alone.
    {
      does: 'prepare',
      path: '/v1/auth/session-token',
      ...reads,
      answer: ({ pass }) => ({ sessionToken: pass }),
    },
    {
      does: 'open',
      path: '/v1/engine/session',
      pass: bearer,
      ...reads,
      answer: ({ id }) => ({ sessionId: id }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-anam',
      code: 'anam.AvatarSession(api_url="{address}", api_key="YOUR_KEY", persona_config=anam.PersonaConfig(name="Nora", avatarId="nora"))',
    },
    node: {
      package: '@livekit/agents-plugin-anam',
      code: "new anam.AvatarSession({ apiUrl: '{address}', apiKey: 'YOUR_KEY', personaConfig: { name: 'Nora', avatarId: 'nora' } })",
    },
    environment: ['ANAM_API_URL={address}', 'ANAM_API_KEY=YOUR_KEY'],
    differs: ['Video sizes, director notes and the disclosure mark are not used.'],
  },
};
