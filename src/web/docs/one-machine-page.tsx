import './docs.css';
import { Code } from './code.tsx';
import { Meanings } from './meanings.tsx';

const start = `cd deploy/compose
./setup --domain avatar.example.com --email you@example.com
docker compose up --build --detach --wait`;

const firstSession = `. ./.env
curl https://$DOMAIN/v1/sessions -H "x-api-key: $TROUPE_API_KEY" \\
  -H 'content-type: application/json' -d '{"transport": "mediaserver", "avatar_id": "nora"}'`;

const local = `./setup --local troupe.home.arpa
docker compose up --build --detach --wait`;

const agent = `SSL_CERT_FILE=authority/public/bundle.crt python my_agent.py`;

const ports = {
  '80/tcp': 'Certificates, and the way to https.',
  '443/tcp': 'Pages, API, signalling and relayed media (TURN over TLS), told apart by name.',
  '7882/udp': 'Media.',
  '7881/tcp': 'Media where UDP is blocked.',
  '3478/udp': 'TURN over UDP. It may stay closed.',
};

const upgrade = `git pull
docker compose build
docker compose up --detach --wait`;

const restore = `docker compose run --rm --no-deps --entrypoint ls backup /data
docker compose down
docker volume rm troupe_postgres troupe_redis
docker compose up --detach --wait postgres redis
docker compose run --rm --no-deps --entrypoint node backup src/start/commands/restore.ts /data/NAME
docker compose up --detach --wait`;

const observe = `docker compose exec -T control-1 node src/start/commands/key.ts \\
  --name prometheus --scope operator > observe/operator-key
chmod 644 observe/operator-key
docker compose --profile observe up --detach --wait
ssh -L 3000:127.0.0.1:3000 avatar.example.com`;

const settings = {
  WORKER_SLOTS: 'Sessions that one avatar worker performs at a time. Default: 4 for each core.',
  AVATAR_WORKERS:
    'Avatar workers (1). With two, each with half of the slots, one takes over the sessions of the other.',
  DRAIN_SECONDS:
    'How long a stopping worker finishes its sessions. Run ./setup after a change: Docker must wait longer.',
  BACKUP_HOURS: 'Hours between two backups (24). BACKUPS_KEPT: how many stay (7).',
  RETENTION_DAYS: 'Days after which old sessions, calls and transcripts are deleted.',
  OPENAI_API_KEY: 'The default models of agents. OPENAI_BASE_URL and OPENAI_MODEL likewise.',
  NETWORK_PREFIX: 'The network of the containers, if yours already uses 172.31.90.0/24.',
};

const troubles = {
  'No certificate':
    'docker compose logs caddy names the reason. The name must lead to this machine, and port 80 must be open.',
  'The page opens, but no picture comes':
    'Open 7882/udp. Behind a router or in a cloud, NODE_IP in .env must be the outer address.',
  'No picture behind strict firewalls':
    'turn.DOMAIN must lead here too: openssl s_client -connect turn.DOMAIN:443 shows its certificate. With ufw: ufw allow in on troupe0.',
  'A container keeps restarting': 'docker compose logs NAME. A missing setting is named there.',
};

export function OneMachinePage() {
  return (
    <article className="shell docs">
      <header>
        <h1>One machine</h1>
        <p className="lede">
          A domain name, a machine with Docker, three commands: HTTPS, two control planes, workers,
          media server with TURN, PostgreSQL, Redis and daily backups.
        </p>
      </header>

      <section aria-labelledby="start">
        <h2 id="start">Start it</h2>
        <p>
          You need Linux with Docker Engine and its compose plugin (2.20 or newer), a public IPv4
          address, and two DNS records of type A for it: your name, and <code>turn.</code> before
          it. An avatar worker offers four sessions for each core. In the repository:
        </p>
        <Code label="Start Troupe" text={start} />
        <p>
          <code>./setup</code> writes <code>.env</code> with all settings and new secrets, checks
          DNS, ports and UDP, and says what to open in the firewall. It asks for what you do not
          give, keeps what it has made, and can run again at any time; <code>./setup --check</code>{' '}
          only checks. Copy <code>.env</code> to a safe place: without its{' '}
          <code>TROUPE_SECRET_KEY</code> nobody can read a backup.
        </p>
        <p>
          Then open <code>https://avatar.example.com</code> and sign in with{' '}
          <code>TROUPE_ADMIN_PASSWORD</code>, or create a session:
        </p>
        <Code label="Create a session" text={firstSession} />
      </section>

      <section aria-labelledby="firewall">
        <h2 id="firewall">Firewall</h2>
        <p>Open these ports to everyone, also in the firewall of your cloud.</p>
        <Meanings of={ports} />
        <p>
          The media server uses the machine’s own network. The containers must reach it on 7880/tcp,
          5349/tcp and 7882/udp; with ufw, <code>ufw allow in on troupe0</code> does this.
        </p>
      </section>

      <section aria-labelledby="local">
        <h2 id="local">Without a domain</h2>
        <p>
          In a home or office network, <code>./setup --local NAME</code> makes an authority of its
          own. Without NAME, browsers on the same machine reach <code>troupe.localhost</code>.
        </p>
        <Code label="Start Troupe without a domain" text={local} />
        <p>
          Every other machine must know both names, for example in its hosts file, and trust{' '}
          <code>authority/public/ca.crt</code>. Agents in Python and Node find it by a variable:
        </p>
        <Code label="Run an agent that trusts the authority" text={agent} />
      </section>

      <section aria-labelledby="change">
        <h2 id="change">Settings, more workers, upgrades</h2>
        <p>
          Add settings at the end of <code>.env</code>, then run{' '}
          <code>docker compose up --detach --wait</code>.
        </p>
        <Meanings of={settings} />
        <p>
          A worker that is stopped or replaced finishes its sessions for <code>DRAIN_SECONDS</code>{' '}
          and hands the rest over to another one. Workers stop before the control planes, and the
          entrance after the last session.
        </p>
        <Code label="Upgrade" text={upgrade} />
      </section>

      <section aria-labelledby="backup">
        <h2 id="backup">Backup and restore</h2>
        <p>
          The service <code>backup</code> copies the records once a day while sessions run, into the
          volume <code>troupe_backups</code>. Copy that volume to another machine. Restoring needs
          the same <code>TROUPE_SECRET_KEY</code>, and empty records:
        </p>
        <Code label="Restore a backup" text={restore} />
      </section>

      <section aria-labelledby="observe">
        <h2 id="observe">Metrics</h2>
        <p>
          Prometheus and Grafana run with the profile <code>observe</code>. Prometheus needs an
          operator key. Grafana listens on this machine only, at port 3000; the password of{' '}
          <code>admin</code> is <code>GRAFANA_PASSWORD</code>.
        </p>
        <Code label="Watch Troupe" text={observe} />
      </section>

      <section aria-labelledby="trouble">
        <h2 id="trouble">When something is wrong</h2>
        <Meanings of={troubles} />
      </section>
    </article>
  );
}
