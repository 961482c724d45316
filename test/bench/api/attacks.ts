import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { formOf } from '../../support/api/form.ts';
import { hostilePdfs, pdfSaying } from '../../support/api/pdf.ts';
import {
  startAttackedService,
  type AttackedService,
  type Attacker,
} from '../../support/attacks/attacked-service.ts';
import {
  GOAL_MS,
  healthDuring,
  MEMORY_LIMIT_MB,
  type HealthFigures,
} from '../../support/attacks/health-watch.ts';
import { MAX_CHUNK_BYTES, SUBMITS_PER_ACCOUNT } from '../../../src/knowledge/upload.ts';
import {
  Crowd,
  hostileForms,
  hostileJson,
  sendUnread,
} from '../../support/attacks/hostile-requests.ts';
import { randomWords } from '../../support/attacks/random-words.ts';
import { machineMs } from '../rpc.ts';
import { row, type Row } from '../report/row.ts';

const MIB = 1024 ** 2;
const SMALL_PDF_MS = 10_000;
const IDLE_MS = 2_000;

/** Several times what a file's text takes. */
const TEXTS_MAY_ADD_MB = 150;
/** Half of BODY_MEMORY_MIB, and what is not collected yet. */
const BODIES_MAY_ADD_MB = 350;

/** As long as a line of a transcript may be. */
const LONG_LINE = 'lamp '.repeat(4_000);
const TRANSCRIPT_LINES = 150;

type Attack = {
  what: string;
  /** Memory above that of the same work, one piece at a time. */
  mayAddMb?: number;
  run: (service: AttackedService) => Promise<unknown>;
};

/** After so many texts, one at a time, the process grows no further. */
const warmUp: Attack = {
  what: '6 texts of 12 MiB, one at a time',
  async run(service) {
    const attacker = await service.attacker();
    for (let count = 0; count < 6; count += 1)
      await attacker.read(await attacker.addFile('text', randomWords(12 * MIB)));
  },
};

const attacks: Attack[] = [
  { what: 'nothing', run: () => pause(IDLE_MS) },
  warmUp,
  {
    what: 'as many texts of one chunk as an account may submit at once',
    mayAddMb: TEXTS_MAY_ADD_MB,
    async run(service) {
      const attacker = await service.attacker();
      const files = [];
      for (let count = 0; count < SUBMITS_PER_ACCOUNT; count += 1)
        files.push(await attacker.upload('text', randomWords(MAX_CHUNK_BYTES)));
      await Promise.all(files.map((id) => attacker.submit(id).catch(() => {})));
    },
  },
  {
    what: '20 reads at once of a long transcript',
    mayAddMb: TEXTS_MAY_ADD_MB,
    async run(service) {
      const attacker = await service.attacker();
      const call = await attacker.openCall([]);
      for (let number = 0; number < TRANSCRIPT_LINES; number += 1)
        await attacker.say(call, `line-${number}`, LONG_LINE);
      const path = `${service.control.url}/v1/calls/${call}/messages`;
      const read = async () => (await fetch(path, { headers: attacker.headers })).text();
      await Promise.all(Array.from({ length: 20 }, read));
    },
  },
  {
    what: 'the export of an account with a text of 12 MiB',
    mayAddMb: TEXTS_MAY_ADD_MB,
    async run(service) {
      const attacker = await service.attacker();
      await attacker.addFile('text', randomWords(12 * MIB));
      const { headers } = attacker;
      await (await fetch(`${service.control.url}/v1/export`, { method: 'POST', headers })).bytes();
    },
  },
  {
    what: '5 texts of 15 MiB of random words, submitted and indexed for 5 calls',
    mayAddMb: TEXTS_MAY_ADD_MB,
    async run(service) {
      const attacker = await service.attacker();
      const files = [];
      for (let seed = 0; seed < 5; seed += 1)
        files.push(await attacker.addFile('text', randomWords(15 * MIB, seed)));
      const calls = await Promise.all(files.map((file) => attacker.openCall([file])));
      await Promise.all(calls.map((call) => attacker.ask(call, 'What is abcdefg, bcdefgh?')));
    },
  },
  {
    what: '20 reads at once of a text of 16 MiB, by each of 3 accounts',
    mayAddMb: TEXTS_MAY_ADD_MB,
    async run(service) {
      const attackers = await Promise.all([1, 2, 3].map(() => service.attacker()));
      await Promise.all(attackers.map((attacker) => readAtOnce(attacker, 20)));
    },
  },
  {
    what: '3,000 requests on one connection, and 200 connections, that read nothing',
    async run({ control }) {
      const get = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n';
      const unread = [sendUnread(control.url, get.repeat(3_000))];
      for (let count = 0; count < 200; count += 1)
        unread.push(sendUnread(control.url, get.repeat(5)));
      const sockets = await Promise.all(unread);
      await pause(IDLE_MS);
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    what: 'forms of 20 MiB of tiny parts behind a decoy boundary, at two doors',
    async run(service) {
      const { type, payload } = hostileForms[0]!;
      const attacker = await service.attacker();
      const doors = ['/v1/avatars', '/compat/hedra/'];
      await Promise.all(doors.map((door) => attacker.post(door, type, payload())));
    },
  },
  {
    what: '20 forms of 30 MiB at once',
    mayAddMb: BODIES_MAY_ADD_MB,
    async run(service) {
      const bytes = new Blob([new Uint8Array(15 * MIB)]);
      const fields = { name: 'a', consent: 'a', picture: bytes, background: bytes };
      const { headers, payload } = await formOf(fields);
      const attacker = await service.attacker();
      const uploads = Array.from({ length: 20 }, () =>
        attacker.post('/v1/avatars', headers['content-type'], payload),
      );
      await Promise.all(uploads);
    },
  },
  {
    what: '8 MiB of JSON, and 30 times 250 KiB, of each hostile kind',
    async run(service) {
      const attacker = await service.attacker();
      for (const { bodyOf } of hostileJson) {
        await attacker.post('/v1/knowledge-files', JSON_TYPE, bodyOf(8 * MIB - 1_000));
        const body = bodyOf(250 * 1_024);
        const posts = Array.from({ length: 30 }, () =>
          attacker.post('/v1/agents', JSON_TYPE, body),
        );
        await Promise.all(posts);
      }
    },
  },
  {
    what: '2,000 clients that ask for the avatars at the same moment, ten times',
    async run(service) {
      const { headers } = await service.attacker();
      const request = `GET /v1/avatars HTTP/1.1\r\nhost: x\r\nx-api-key: ${headers['x-api-key']}\r\n\r\n`;
      const crowd = await Crowd.open(service.control.url, 2_000, request);
      for (let times = 0; times < 10; times += 1) await crowd.ask();
      crowd.leave();
    },
  },
  {
    what: '2,000 guesses of the admin password',
    async run({ control }) {
      for (let count = 0; count < 100; count += 1)
        await Promise.all(Array.from({ length: 20 }, (_, index) => guess(control.url, index)));
    },
  },
  { what: '8,000 silent sockets and 4,000 halves of a header, held', run: holdSockets },
  { what: 'these sockets, closed at the same moment', run: closeSockets },
];

const JSON_TYPE = 'application/json';

async function guess(url: string, index: number): Promise<void> {
  const headers = { authorization: `Bearer a guess ${index}` };
  await (await fetch(`${url}/admin/accounts`, { headers })).text();
}

async function readAtOnce(attacker: Attacker, times: number): Promise<void> {
  const id = await attacker.addFile('text', randomWords(16 * MIB));
  await Promise.all(Array.from({ length: times }, () => attacker.read(id)));
}

const heldSockets: Socket[] = [];

async function holdSockets({ control }: AttackedService): Promise<void> {
  const { hostname, port } = new URL(control.url);
  for (let count = 0; count < 12_000; count += 1) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    heldSockets.push(socket);
    if (count % 3 === 0) socket.write('GET /healthz HTTP/1.1\r\nx-half: ');
    if (count % 100 === 0) await once(socket, 'connect');
  }
  await pause(IDLE_MS);
}

async function closeSockets(): Promise<void> {
  for (const socket of heldSockets.splice(0)) socket.destroy();
  await pause(IDLE_MS);
}

/** Waits of `/healthz`, and memory, while the control plane is attacked in each way. */
export async function attackRows(say: (line: string) => void): Promise<Row[]> {
  const service = await startAttackedService();
  const rows: Row[] = [];
  let usualMb = 0;
  try {
    for (const attack of attacks) {
      say(attack.what);
      const figures = await healthDuring(service.control, () => attack.run(service));
      if (attack === warmUp) usualMb = figures.attacked.peakMb;
      rows.push(...rowsOf(attack, figures, usualMb));
    }
    rows.push(await smallPdf(service));
    return rows;
  } finally {
    await service.close();
  }
}

type Figures = Record<'idle' | 'attacked', HealthFigures>;

function rowsOf({ what, mayAddMb }: Attack, { idle, attacked }: Figures, usualMb: number): Row[] {
  const goal = { of: 'worst', atMost: GOAL_MS } as const;
  return [
    row({
      what: `${what}: longest wait of /healthz, beside idle`,
      unit: 'ms',
      values: attacked.waitMs,
      floor: idle.waitMs,
      goal,
    }),
    row({
      what: `${what}: most work of the event loop before an answer, beside idle`,
      unit: 'ms',
      values: attacked.busyMs,
      floor: idle.busyMs,
      goal,
      calmBy: 'always',
    }),
    row({
      what: `${what}: peak memory of the control plane`,
      unit: 'MB',
      values: attacked.peakMb,
    }),
    ...(mayAddMb === undefined
      ? []
      : [
          row({
            what: `${what}: growth of the control plane`,
            unit: 'MB',
            values: Math.max(0, attacked.peakMb - Math.max(usualMb, idle.peakMb)),
            goal: { of: 'worst', atMost: mayAddMb },
            calmBy: 'always',
          }),
        ]),
    row({
      what: `${what}: peak memory with its child processes`,
      unit: 'MB',
      values: attacked.withChildrenMb,
      goal: { of: 'worst', atMost: MEMORY_LIMIT_MB },
      calmBy: 'always',
    }),
  ];
}

async function smallPdf(service: AttackedService): Promise<Row> {
  const slow = hostilePdfs.find(({ what }) => what.startsWith('a form in a form'))!.make();
  const attackers = await Promise.all([service.attacker(), service.attacker()]);
  const slowReads = await Promise.all(attackers.map((attacker) => attacker.fillReaders(slow)));
  const attacker = await service.attacker();
  const from = machineMs();
  await attacker.addFile('pdf', pdfSaying('Eggs are two dollars.'));
  const tookMs = machineMs() - from;
  await Promise.all(slowReads.map(({ reads }) => reads));
  return row({
    what: 'a small PDF while two other accounts have two slow ones each',
    unit: 'ms',
    values: tookMs,
    goal: { of: 'worst', atMost: SMALL_PDF_MS },
  });
}
