/**
 * How each example in deploy/examples starts. `watch`: its face is seen on the page of the folder
 * `viewer`. `ports`: where it listens unless another program does, by the variable that it reads.
 */
export type Example = {
  language: 'python' | 'node';
  args: readonly string[];
  watch: 'new room' | 'printed link' | null;
  ports?: Readonly<Record<string, number>>;
};

export const VIEWER_PORT = { VIEWER_PORT: 8090 };

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'livekit-agent-python': { language: 'python', args: ['agent.py', 'dev'], watch: 'new room' },
  'livekit-agent-node': { language: 'node', args: ['agent.mjs', 'dev'], watch: 'new room' },
  'pipecat-bot': {
    language: 'python',
    args: ['bot.py'],
    watch: 'printed link',
    ports: { BOT_PORT: 8765 },
  },
  'any-tts': { language: 'python', args: ['speak.py'], watch: 'printed link' },
  'fastapi-webhooks': {
    language: 'python',
    args: ['app.py'],
    watch: 'printed link',
    ports: { APP_PORT: 8000 },
  },
  viewer: { language: 'node', args: ['server.mjs'], watch: null, ports: VIEWER_PORT },
  kiosk: { language: 'node', args: ['server.mjs'], watch: null, ports: { KIOSK_PORT: 8091 } },
};
