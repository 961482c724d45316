import type { VendorAdapter, RequestFields } from '../vendor-adapter.ts';

const bearer = { header: 'authorization', scheme: 'Bearer' } as const;

const fields = {
  room: { url: 'environment.livekitUrl', token: 'environment.livekitToken' },
  avatar: ['personaConfig.avatarId', 'personaConfig.personaId'],
  size: { width: 'sessionOptions.videoWidth', height: 'sessionOptions.videoHeight' },
  known: ['personaConfig.type', 'personaConfig.name', 'personaConfig.llmId'],
} satisfies RequestFields;

export const anam: VendorAdapter = {
  word: 'anam',
  name: 'Anam',
  key: [bearer],
  calls: [
    // Plugins up to 1.8.0 and the Node plugin send the body here and open the session with the
    // token alone.
    {
      does: 'prepare',
      path: '/v1/auth/session-token',
      ...fields,
      answer: ({ pass }) => ({ sessionToken: pass }),
    },
    {
      does: 'open',
      path: '/v1/engine/session',
      pass: bearer,
      ...fields,
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
    differs: ['Director notes and the disclosure mark are not used.'],
  },
};
