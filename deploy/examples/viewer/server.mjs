/*
 * A page that shows and plays a room. Its address may name the room (#url=...&token=...); else the
 * page asks here for a token for a new one, as the page of every LiveKit application does: the
 * media server then sends it an agent.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { AccessToken } from 'livekit-server-sdk';

const PORT = Number(process.env.VIEWER_PORT ?? 8090);
const FILES = {
  '/': ['text/html; charset=utf-8', fileURLToPath(new URL('index.html', import.meta.url))],
  '/look.css': ['text/css; charset=utf-8', fileURLToPath(new URL('../look.css', import.meta.url))],
  '/livekit-client.mjs': ['text/javascript', fileURLToPath(import.meta.resolve('livekit-client'))],
};

async function newRoom() {
  const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET } = process.env;
  const token = new AccessToken(LIVEKIT_API_KEY, LIVEKIT_API_SECRET, { identity: 'viewer' });
  token.addGrant({ roomJoin: true, room: `example-${randomUUID()}` });
  return { url: LIVEKIT_URL, token: await token.toJwt() };
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://viewer');
  if (request.method === 'POST' && pathname === '/rooms')
    return response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify(await newRoom()));
  const file = FILES[pathname];
  if (!file) return response.writeHead(404).end();
  return createReadStream(file[1]).pipe(response.writeHead(200, { 'content-type': file[0] }));
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
}).listen(PORT, '127.0.0.1', () => console.log(`The page is at http://127.0.0.1:${PORT}/`));
