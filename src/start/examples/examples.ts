/**
 * How each example in deploy/examples starts. `watch`: its face is seen on the page of the folder
 * `viewer`.
 */
export type Example = {
  language: 'python' | 'node';
  args: readonly string[];
  watch: 'new room' | 'printed link' | null;
};

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'livekit-agent-python': { language: 'python', args: ['agent.py', 'dev'], watch: 'new room' },
  'livekit-agent-node': { language: 'node', args: ['agent.mjs', 'dev'], watch: 'new room' },
  'pipecat-bot': { language: 'python', args: ['bot.py'], watch: 'printed link' },
  'any-tts': { language: 'python', args: ['speak.py'], watch: 'printed link' },
  'fastapi-webhooks': { language: 'python', args: ['app.py'], watch: 'printed link' },
  viewer: { language: 'node', args: ['server.mjs'], watch: null },
  kiosk: { language: 'node', args: ['server.mjs'], watch: null },
};
