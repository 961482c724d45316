/* A real nginx. Without one its tests are skipped with a message; under CI they fail. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { until } from '../../until.ts';

const binary = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);
export const hasNginx = binary !== undefined;
if (!hasNginx) {
  const problem = 'nginx is not on the PATH: install it (apt-get install nginx-light)';
  if (process.env['CI']) throw new Error(problem);
  console.warn(`${problem} to run the tests behind a proxy`);
}

/** A reverse proxy on this machine. Close it after the test. */
export class Nginx {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'troupe-nginx-'));
  readonly #port: number;
  readonly #process: ChildProcess;

  /** `headers`: directives of the location, such as `proxy_set_header NAME VALUE;`. */
  static async open(to: string, headers = ''): Promise<Nginx> {
    const nginx = new Nginx(to, headers, await freePort());
    await until(() => nginx.#answers());
    return nginx;
  }

  private constructor(to: string, headers: string, port: number) {
    this.#port = port;
    const file = path.join(this.#folder, 'nginx.conf');
    writeFileSync(file, configuration(to, headers, port));
    const args = ['-p', this.#folder, '-c', file, '-e', 'stderr'];
    this.#process = spawn(binary!, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exit;
    rmSync(this.#folder, { recursive: true });
  }

  #answers(): Promise<boolean> {
    const socket = connect(this.#port, '127.0.0.1');
    const isConnected = once(socket, 'connect').then(
      () => true,
      () => false,
    );
    return isConnected.finally(() => socket.destroy());
  }
}

const configuration = (to: string, headers: string, port: number): string => `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${to};
      ${headers}
    }
  }
}
`;
