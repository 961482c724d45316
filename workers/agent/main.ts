import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed } from '#shared/process/operator-error.ts';

readCommand({
  usage: `Usage: npm run agent

Runs an agent worker, which holds up to AGENT_SLOTS conversations for the control plane at CONTROL_URL. Needs its WORKER_TOKEN.
SIGTERM drains it. Settings are environment variables; .env.example lists them.`,
});

// Without this, set before it is loaded, rtc-node logs every step to standard output.
process.env['NODE_ENV'] ??= 'production';
// With these the framework would call LiveKit's cloud, or send our key to other endpoints.
for (const name of ['LIVEKIT_DEV_MODE', 'LIVEKIT_REMOTE_EOT_URL', 'OPENAI_API_KEY'])
  delete process.env[name];

const { runAgentWorker } = await import('./worker.ts');
await runAgentWorker().catch(exitFailed);
