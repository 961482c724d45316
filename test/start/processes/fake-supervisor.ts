/*
 * A process to be killed by programs.test.ts: runs three programs as the supervisor does and prints
 * their process ids in one line. The second ignores signals and has no channel, like a foreign
 * binary. The third starts a child of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { systemClock } from '../../../src/shared/clock.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { Programs } from '../../../src/start/processes/programs.ts';
import type { ProgramSpec } from '../../../src/start/processes/program.ts';

const pids: number[] = [];
let expected = 3;

const programs = new Programs(new Guard(systemClock), systemClock, {
  up: (_program, pid) => pids.push(pid),
  down: () => {},
  message: () => {},
  output: () => {
    expected -= 1;
    if (expected === 0) tell();
  },
});

const shell = (name: string, script: string): ProgramSpec => ({
  name,
  launch: () => ({ command: 'sh', args: ['-c', script], env: process.env, ipc: false }),
  stopSignal: 'SIGTERM',
  graceMs: 500,
});
programs.start(shell('plain', 'echo up; exec sleep 600'));
programs.start(shell('stubborn', 'trap "" INT TERM; echo up; while :; do sleep 600; done'));
programs.start(shell('parent', 'sleep 600 & echo up; wait'));

function tell(): void {
  if (process.argv[2] === 'kill-guard') {
    const formerPid = guardPid();
    process.kill(formerPid, 'SIGKILL');
    const poll = setInterval(() => {
      const now = guardPid();
      if (now === 0 || now === formerPid || !handlesHangup(now)) return;
      clearInterval(poll);
      print();
    }, 50);
  } else {
    print();
  }
}

function print(): void {
  process.stdout.write(`${JSON.stringify(pids)}\n`);
}

/**
 * Whether the guard has loaded its code, whose last line this handler is: a message sent before is
 * read, and so is the end.
 */
function handlesHangup(pid: number): boolean {
  const caught = /^SigCgt:\s+(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (BigInt(`0x${caught}`) & 1n) === 1n;
}

/** The child process that runs guard-main.ts. */
function guardPid(): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1];
      const line = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
      if (Number(parent) === process.pid && line.includes('guard-main.ts')) return Number(entry);
    } catch {
      // The process exited meanwhile.
    }
  }
  return 0;
}
