/*
 * A terminal where passers-by talk with an avatar, without a phone or an app: touch the screen,
 * talk, walk away. This server keeps the key and starts the calls; the page shows one call at a
 * time and returns to its start after a silence.
 */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Troupe } from '@troupe/sdk';

const NAME = 'Kiosk';
const PORT = Number(process.env.KIOSK_PORT ?? 8091);
const FILES = {
  '/': ['text/html; charset=utf-8', fileURLToPath(new URL('index.html', import.meta.url))],
  '/look.css': ['text/css; charset=utf-8', fileURLToPath(new URL('../look.css', import.meta.url))],
  '/livekit-client.mjs': ['text/javascript', fileURLToPath(import.meta.resolve('livekit-client'))],
};

const troupe = new Troupe();
const agentId = await findOrCreateAgent();

async function findOrCreateAgent() {
  for await (const { id, name } of troupe.agents.list()) if (name === NAME) return id;
  const { id } = await troupe.agents.create({
    name: NAME,
    avatar_id: process.env.AVATAR ?? 'nora',
    greeting: 'Hello! What are you looking for?',
    system_prompt: 'You stand in the hall of a museum and show visitors the way. Be brief.',
  });
  return id;
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://kiosk');
  if (request.method === 'POST' && pathname === '/calls') {
    const call = await troupe.calls.create({ agent_id: agentId });
    const body = { id: call.id, url: call.livekit_url, token: call.livekit_token };
    return response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  }
  const [, ended] = /^\/calls\/([\w-]+)\/end$/.exec(pathname) ?? [];
  if (request.method === 'POST' && ended) {
    await troupe.calls.end(ended);
    return response.writeHead(204).end();
  }
  const file = FILES[pathname];
  if (!file) return response.writeHead(404).end();
  return createReadStream(file[1]).pipe(response.writeHead(200, { 'content-type': file[0] }));
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error.message);
    response.writeHead(error.status ?? 500).end(error.message);
  });
}).listen(PORT, '127.0.0.1', () => console.log(`The kiosk is at http://127.0.0.1:${PORT}/`));
