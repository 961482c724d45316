import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { linePath, passagesPath, type CallLine, type Passages } from '#protocol/call-brief.ts';
import { PDFS_PER_ACCOUNT } from '../../../src/knowledge/pdf-reader.ts';
import { MAX_CHUNK_BYTES } from '../../../src/knowledge/upload.ts';
import { FIRST_AVATAR } from '../cast.ts';
import { SimulatedWorker } from '../simulated-worker.ts';
import { attackedControl, WORKER_TOKEN } from './attacked-control.ts';

const TROUPE_ADMIN_PASSWORD = 'a password of the operator';
const SLOTS = 20;

type Reply<Body> = { status: number; body: Body };
type Answered = Record<string, unknown>;

/** An attacker with the key of an account. */
export type Attacker = ReturnType<typeof attackerOf>;

export type AttackedService = Awaited<ReturnType<typeof startAttackedService>>;

/**
 * A control plane with simulated workers and a media server that accepts everything. The owner
 * closes it.
 */
export async function startAttackedService(env: Record<string, string> = {}, logFile?: string) {
  const media = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(media, 'listening');
  const mediaEnv = {
    LIVEKIT_URL: `http://127.0.0.1:${(media.address() as AddressInfo).port}`,
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'a secret that is long enough for a signature',
  };
  const control = await attackedControl({ TROUPE_ADMIN_PASSWORD, ...mediaEnv, ...env }, logFile);
  const common = { url: control.url, token: WORKER_TOKEN, slots: SLOTS };
  const talkers = await new SimulatedWorker({ ...common, kind: 'agent' }).join();
  const faces = await new SimulatedWorker({ ...common, avatars: [FIRST_AVATAR.id] }).join();
  const admin = requestsOf(control.url, { authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}` });
  return {
    control,
    /** A new account of its own. */
    async attacker(): Promise<Attacker> {
      const account = { name: 'attacker', plan: 'unlimited' };
      const { id } = (await admin('POST', '/admin/accounts', account)).body;
      const key = await admin('POST', `/admin/accounts/${String(id)}/keys`, { name: 'key' });
      return attackerOf(control.url, String(key.body['key']), talkers);
    },
    async close() {
      await talkers.close();
      await faces.close();
      await control.close();
      media.close();
    },
  };
}

function attackerOf(url: string, key: string, talkers: SimulatedWorker) {
  const headers = { 'x-api-key': key };
  const request = requestsOf(url, headers);
  const make = async (path: string, fields: Answered): Promise<string> =>
    String((await expectOk(request('POST', path, fields)))['id']);
  return {
    headers,
    request,
    /** Sends a body of any kind. Resolves when it is answered. */
    async post(path: string, type: string, body: string | Buffer<ArrayBuffer>): Promise<void> {
      const typedHeaders = { ...headers, 'content-type': type };
      await (await fetch(`${url}${path}`, { method: 'POST', headers: typedHeaders, body })).text();
    },
    /** A file that is to be submitted. Returns its id. */
    async upload(format: 'text' | 'pdf', content: Buffer): Promise<string> {
      const id = await make('/v1/knowledge-files', { name: 'File', format });
      const path = `/v1/knowledge-files/${id}`;
      for (let at = 0; at < content.length; at += MAX_CHUNK_BYTES) {
        const chunk = content.subarray(at, at + MAX_CHUNK_BYTES);
        const number = at / MAX_CHUNK_BYTES;
        const reply = await fetch(`${url}${path}/upload?chunk_number=${number}`, {
          method: 'PUT',
          headers,
          body: Uint8Array.from(chunk),
        });
        if (!reply.ok) throw new Error(`upload: ${reply.status}`);
      }
      return id;
    },
    /** Throws unless it is answered 200. */
    async submit(id: string): Promise<void> {
      const path = `/v1/knowledge-files/${id}/submit`;
      const reply = await fetch(`${url}${path}`, { method: 'POST', headers });
      await reply.bytes();
      if (!reply.ok) throw new Error(`submit: ${reply.status}`);
    },
    /** Uploads and submits a file. Returns its id. */
    async addFile(format: 'text' | 'pdf', content: Buffer): Promise<string> {
      const id = await this.upload(format, content);
      await this.submit(id);
      return id;
    },
    /**
     * Submits one more of these PDFs than the account may have in work. Resolves when it is
     * refused: the others are in work. Returns them.
     */
    async fillReaders(pdf: Buffer): Promise<{ reads: Promise<unknown> }> {
      const answers = Array.from({ length: PDFS_PER_ACCOUNT + 1 }, () =>
        this.addFile('pdf', pdf).then(
          () => 'submit: 200',
          ({ message }: Error) => message,
        ),
      );
      const firstAnswer = await Promise.race(answers);
      if (firstAnswer !== 'submit: 429') throw new Error(`no PDF waits: ${firstAnswer}`);
      return { reads: Promise.all(answers) };
    },
    /** The text of a file; null if the service is busy. */
    async read(id: string): Promise<string | null> {
      const reply = await fetch(`${url}/v1/knowledge-files/${id}`, { headers });
      const body = (await reply.json()) as Answered;
      return reply.status === 429 ? null : String(body['content']);
    },
    /** A call of an agent with these files. */
    async openCall(files: readonly string[]): Promise<string> {
      const avatar = { name: 'Agent', avatar_id: FIRST_AVATAR.id };
      const agentId = await make('/v1/agents', { ...avatar, knowledge_files: files });
      return make('/v1/calls', { agent_id: agentId });
    },
    /** Adds a line to the conversation, as the worker of the call. */
    async say(callId: string, lineId: string, text: string): Promise<void> {
      const reply = await fetch(`${url}${linePath(callId, lineId)}`, {
        method: 'PUT',
        headers: { ...talkers.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ sender: 'ai', text, agoMs: 0 } satisfies CallLine),
      });
      if (!reply.ok) throw new Error(`line: ${reply.status}`);
    },
    /** As the worker of the call asks. */
    ask(callId: string, question: string): Promise<Reply<Passages>> {
      const asWorker = requestsOf<Passages>(url, talkers.headers);
      return asWorker('POST', passagesPath(callId), { question });
    },
  };
}

const requestsOf =
  <Body = Answered>(url: string, headers: Record<string, string>) =>
  async (method: string, path: string, fields?: object): Promise<Reply<Body>> => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(fields && { 'content-type': 'application/json' }) },
      ...(fields && { body: JSON.stringify(fields) }),
    });
    return { status: reply.status, body: (await reply.json()) as Body };
  };

async function expectOk(reply: Promise<Reply<Answered>>): Promise<Answered> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}
