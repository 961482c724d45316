/*
 * Serves the example pages, on another origin than the service and with a strict content security
 * policy. README.md says how to run it.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const { env } = process;
// As browsers see them.
const service = new URL(env.TROUPE_URL ?? 'http://127.0.0.1:8080').origin;
const mediaServer = new URL(env.LIVEKIT_PUBLIC_URL ?? 'ws://127.0.0.1:7880');
const agent = env.AGENT_ID;
if (!agent) throw new Error('Set AGENT_ID to an agent whose allowed_origins name this page.');

const folder = fileURLToPath(new URL('.', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Everything that `<troupe-agent>` needs, and no `unsafe-inline`. */
function contentSecurityPolicy() {
  const { host, protocol } = mediaServer;
  const isSecure = /^(wss|https):$/.test(protocol);
  const media = isSecure ? `wss://${host} https://${host}` : `ws://${host} http://${host}`;
  return [
    "default-src 'none'",
    `script-src 'self' ${service}`,
    "style-src 'self'",
    `img-src 'self' ${service}`,
    `connect-src ${service} ${media}`,
    `frame-src ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const headers = { 'content-security-policy': contentSecurityPolicy() };

const server = createServer(async ({ url }, reply) => {
  const { pathname } = new URL(url, 'http://localhost');
  const name = pathname === '/' ? '/plain.html' : pathname;
  try {
    const file = path.join(folder, name.startsWith('/built/') ? '' : 'pages', name);
    const text = await readFile(file, 'utf8');
    const type = `${types[path.extname(name)] ?? 'text/plain'}; charset=utf-8`;
    reply.writeHead(200, { ...headers, 'content-type': type });
    reply.end(text.replaceAll('{{service}}', service).replaceAll('{{agent}}', agent));
  } catch {
    reply.writeHead(404, headers).end('Not found\n');
  }
});
server.listen(Number(env.PORT ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
