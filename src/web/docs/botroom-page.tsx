import './docs.css';
import './botroom/botroom-page.css';
import { CLIENT_RATES, HELD_SPEECH_MS, UNREAD_SOUND_MS } from '#protocol/botroom/limits.ts';
import { BOTROOM_PROTOCOL, MAX_RECORD_BYTES } from '#protocol/botroom/records.ts';
import { Code } from './code.tsx';
import { botFacts, botTransport } from './botroom/bots.ts';
import { closings, records } from './botroom/protocol-tables.ts';
import client from './botroom/client.py?raw';

const openLine = (origin: string): string =>
  `curl -X POST ${origin}/v1/sessions -H "x-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"transport": "botroom", "avatar_id": "nora"}'`;

const answer = (origin: string): string => `{
  "id": "5f0c...",
  "transport": "botroom",
  "url": "${origin.replace(/^http/, 'ws')}/v1/botrooms/a1b2...",
  "token": "eyJ...",
  "status": { "type": "to_start" },
  ...
}`;

const botLine = (origin: string): string =>
  `curl -X POST ${origin}/v1/sessions -H "x-api-key: $KEY" -H 'content-type: application/json' \\
  -d '{"transport": "botroom", "avatar_id": "nora", "url": "wss://bot.example/ws", "token": "optional"}'`;

const framing = `u32 length of the rest | u8 type | u32 length of the header | header (JSON) | blob`;

const outages = [
  [
    'Your connection breaks',
    'The session waits ten seconds for you. Connect again with the same token; when it has expired, POST /v1/sessions/ID/token gives another one. Without a client the session then ends with agent_left.',
  ],
  [
    'A worker dies',
    'Your socket stays open. Another worker takes over, and pictures return within seconds. Speech that you send in between is kept, up to 30 seconds of it; what the lost worker had not yet played is lost.',
  ],
  [
    'A worker is stopped or replaced',
    'The session moves at a pause of the speech. Your socket stays open, pictures go on, and speech that you send meanwhile is kept.',
  ],
  [
    'The control plane that relays the room dies',
    'Your socket closes without a reason. If the control plane is back within ten seconds, connect again with the same token: the session goes on. Otherwise it ends with room_closed.',
  ],
  [
    'Another control plane dies',
    'Nothing changes for you. Another one takes over its sessions and workers.',
  ],
  [
    'You read too slowly',
    `Pictures are left out, sound never. With more than ${UNREAD_SOUND_MS / 1000} seconds of unread sound the socket closes with 4408.`,
  ],
] as const;

const limits = [
  ['A record', `${MAX_RECORD_BYTES / 1024} KiB, its header 4 KiB`],
  ['Speech', '16-bit PCM, one or two channels, 8 to 48 kHz'],
  [
    'What you send',
    `${CLIENT_RATES.bytes.perSecond / 1024 ** 2} MiB and ${count(CLIENT_RATES.records.perSecond)} records a second; ${CLIENT_RATES.bytes.burst / 1024 ** 2} MiB and ${count(CLIENT_RATES.records.burst)} records at once`,
  ],
  [
    'Speech while no worker is in the room',
    `${HELD_SPEECH_MS / 1000} seconds are kept; beyond them, your socket is not read`,
  ],
  [
    'The token',
    'valid for ten minutes, because only connecting needs it; an open socket stays open',
  ],
  ['Clients of a room', 'one; a later one replaces it'],
  [
    'Bandwidth',
    'about 5 Mbit/s per session: pictures are JPEG, for one machine or one network. Over the internet, WebRTC rooms need a tenth',
  ],
] as const;

function count(number: number): string {
  return number.toLocaleString('en');
}

export function BotroomPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Botrooms</h1>
        <p className="lede">
          A talking face without WebRTC. Your program sends speech over one websocket, and gets
          pictures and sound back. Or it stays as it is: Troupe connects to your voice bot and gives
          it a face.
        </p>
        <p>
          Do you use Pipecat? Its video services for Protoface and Ojin work with Troupe unmodified:{' '}
          <a href="/docs/coming-from">Coming from another service</a>. This page is for programs of
          your own.
        </p>
      </header>

      <section aria-labelledby="open">
        <h2 id="open">Open a botroom</h2>
        <Code label="Open a botroom" text={openLine(location.origin)} />
        <Code label="The answer" text={answer(location.origin)} />
        <p>
          Connect to <code>url</code> with <code>token</code>. Sessions show <code>url</code> later
          too, but never the token. A request that is repeated with its <code>Idempotency-Key</code>{' '}
          gets the same room and a new token.
        </p>
      </section>

      <section aria-labelledby="client">
        <h2 id="client">A client in Python</h2>
        <p>
          It opens a session, says what is in a WAV file, and keeps what it gets back: one JPEG for
          each picture, and the sound.
        </p>
        <Code label="client.py" text={client} />
      </section>

      <section aria-labelledby="protocol">
        <h2 id="protocol">The protocol</h2>
        <p>
          Offer the subprotocol <code>{BOTROOM_PROTOCOL}</code>, and send the token as{' '}
          <code>Authorization: Bearer</code> or, in browsers, as a second subprotocol. Every message
          is binary and holds one record. Numbers are big-endian. A header may be empty; unknown
          fields in it are ignored.
        </p>
        <Code label="A record" text={framing} />
        <div className="docs-table" tabIndex={0} role="region" aria-labelledby="protocol">
          <table>
            <thead>
              <tr>
                <th scope="col">Type</th>
                <th scope="col">Record</th>
                <th scope="col">From</th>
                <th scope="col">Meaning</th>
                <th scope="col">Header</th>
              </tr>
            </thead>
            <tbody>
              {records.map(({ type, name, from, header, meaning }) => (
                <tr key={`${name} ${from}`}>
                  <td>
                    <code>{type}</code>
                  </td>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{from}</td>
                  <td className="botroom-meaning">{meaning}</td>
                  <td>{header && <HeaderOf example={header} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p>
          Types below <code>0x20</code> are those of Pipecat’s Protoface service. The others are
          sent only to clients that ask for them with <code>hello</code>, because published clients
          stop at a record that they do not know.
        </p>
      </section>

      <section aria-labelledby="closing">
        <h2 id="closing">When the socket closes</h2>
        <p>
          An <code>error</code> record with the reason comes first, unless you ended the session.
        </p>
        <dl className="docs-states narrow">
          {closings.map(({ code, message, advice }) => (
            <div key={code}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>
                {message} <span className="soft">{advice}</span>
              </dd>
            </div>
          ))}
        </dl>
      </section>

      <section aria-labelledby="bot">
        <h2 id="bot">A face for a bot that you already run</h2>
        <Code label="Open a session for a bot" text={botLine(location.origin)} />
        <p>
          A worker connects to your Pipecat bot, as its websocket clients do: protobuf frames, and
          the RTVI message <code>client-ready</code>. The bot’s voice gets a face in a new room on
          the built-in media server. <code>room.viewer_token</code> lets one person in; what they
          say is sent to the bot. When they interrupt it, the face falls silent at once.
        </p>
        <p>
          <code>token</code> is sent to the bot as <code>Authorization: Bearer</code>. Addresses in
          private networks, and addresses without TLS, are refused unless{' '}
          <code>ALLOWED_NETWORKS</code> lists them.
        </p>
        <p>
          Nothing in the bot changes. Its transport is one of Pipecat’s websocket servers with the
          protobuf serializer, for example:
        </p>
        <Code label="The bot’s transport" text={botTransport} />
        <dl className="docs-states wide">
          {botFacts.map(([what, meaning]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>

      <section aria-labelledby="outages">
        <h2 id="outages">When something fails</h2>
        <dl className="docs-states wide">
          {outages.map(([what, result]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{result}</dd>
            </div>
          ))}
        </dl>
        <p>
          Sessions end, are counted and are reported like all others: see{' '}
          <a href="/docs/webhooks">Webhooks</a> and <a href="/docs/limits">Limits and errors</a>.
        </p>
      </section>

      <section aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        <dl className="docs-states wide">
          {limits.map(([what, limit]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{limit}</dd>
            </div>
          ))}
        </dl>
      </section>
    </article>
  );
}

function HeaderOf({ example }: { example: object }) {
  return (
    <code>
      {Object.entries(example).map(([name, value]) => (
        <span key={name} className="botroom-field">
          {name}: {JSON.stringify(value).replaceAll(',', ', ')}
        </span>
      ))}
    </code>
  );
}
