import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  comeFirst,
  leaveBehind,
  LONGEST_BEHIND_MS,
  standBehind,
} from '../../../src/start/processes/priority.ts';
import { hasAutogroups, sessionPriorityOf } from '../../support/processes/session-priority.ts';
import { TestClock } from '../../support/test-clock.ts';
import { lineFrom } from './children.ts';

const ownPriority = os.getPriority();
const SESSION_BEHIND = 10;
const SESSION_FIRST = -15;
const A_LITTLE = 4;
const BEHIND = Math.min(ownPriority + SESSION_BEHIND, os.constants.priority.PRIORITY_LOW);
const started: ChildProcess[] = [];

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const child of started.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/** A Node process, whose threads exist once it has printed a line. */
function start({ detached = false } = {}): ChildProcess & { pid: number } {
  const script = "console.log('here'); setInterval(() => {}, 1000)";
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, ['-e', script], { stdio, detached });
  started.push(child);
  return child as ChildProcess & { pid: number };
}

function prioritiesOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

const ofSession = (priority: number): number | null => (hasAutogroups ? priority : null);

function mayRaise(): boolean {
  try {
    os.setPriority(ownPriority - 1);
    os.setPriority(ownPriority);
    return true;
  } catch {
    return false;
  }
}

describe('the priority of a restarted program', () => {
  // Without permission to raise priorities they are never lowered: see the next test.
  test.runIf(mayRaise())('is lowered for all its threads and raised again', async () => {
    const child = start();

    const comeForward = standBehind(child.pid, clock);
    await lineFrom(child);
    const behind = prioritiesOf(child.pid);
    comeForward?.();

    expect(behind.length).toBeGreaterThan(1);
    expect(new Set(behind)).toEqual(new Set([BEHIND]));
    expect(new Set(prioritiesOf(child.pid))).toEqual(new Set([ownPriority]));
    expect(clock.waiting).toBe(0);
  });

  test.runIf(mayRaise())('is raised after a while if the machine is too busy to load it', () => {
    const child = start();

    standBehind(child.pid, clock);
    clock.advance(LONGEST_BEHIND_MS - 1);
    expect(os.getPriority(child.pid)).toBe(BEHIND);
    clock.advance(1);

    expect(os.getPriority(child.pid)).toBe(ownPriority);
  });

  test.runIf(mayRaise())('applies to its session if it leads one', () => {
    const formerPriority = sessionPriorityOf(process.pid);
    const leader = start({ detached: true });
    const member = start();

    const comeForward = standBehind(leader.pid, clock);
    standBehind(member.pid, clock);

    expect(os.getPriority(leader.pid)).toBe(BEHIND);
    expect(sessionPriorityOf(leader.pid)).toBe(ofSession(SESSION_BEHIND));
    expect(sessionPriorityOf(process.pid)).toBe(formerPriority);
    comeForward?.();
    expect(sessionPriorityOf(leader.pid)).toBe(ofSession(0));
  });

  test.runIf(mayRaise())('is that of other sessions again under nice', () => {
    os.setPriority(ownPriority + 1);
    const leader = start({ detached: true });

    standBehind(leader.pid, clock)?.();
    os.setPriority(ownPriority);

    expect(os.getPriority(leader.pid)).toBe(ownPriority + 1);
    expect(sessionPriorityOf(leader.pid)).toBe(ofSession(0));
  });

  test('is unchanged when it could not be raised again', async () => {
    const set = os.setPriority;
    vi.spyOn(os, 'setPriority').mockImplementation((...args: [number, number?]) => {
      if ((args[1] ?? args[0]) < ownPriority) throw new Error('EACCES');
      set(...(args as [number, number]));
    });
    const child = start();

    expect(standBehind(child.pid, clock)).toBeNull();
    expect(os.getPriority(child.pid)).toBe(ownPriority);
  });

  test('may be lowered permanently without permission to raise it', () => {
    const child = start();

    leaveBehind(child.pid);

    expect(os.getPriority(child.pid)).toBeGreaterThan(ownPriority);
  });

  test.runIf(mayRaise())('may be lowered until the programs before it have ended', () => {
    const leader = start({ detached: true });

    const comeForward = leaveBehind(leader.pid);
    expect(os.getPriority(leader.pid)).toBe(ownPriority + A_LITTLE);
    expect(sessionPriorityOf(leader.pid)).toBe(ofSession(A_LITTLE));
    comeForward();

    expect(os.getPriority(leader.pid)).toBe(ownPriority);
    expect(sessionPriorityOf(leader.pid)).toBe(ofSession(0));
  });

  test.runIf(mayRaise())('comes before that of others', () => {
    const leader = start({ detached: true });

    comeFirst(leader.pid);

    expect(os.getPriority(leader.pid)).toBe(Math.max(ownPriority - SESSION_BEHIND, -20));
    expect(sessionPriorityOf(leader.pid)).toBe(ofSession(SESSION_FIRST));
  });

  test('is kept without permission to raise it', () => {
    vi.spyOn(os, 'setPriority').mockImplementation(() => {
      throw new Error('EACCES');
    });
    const child = start();

    comeFirst(child.pid);

    expect(os.getPriority(child.pid)).toBe(ownPriority);
  });

  test('is ignored for a program that has exited', async () => {
    const child = start();
    const comeForward = standBehind(child.pid, clock);
    const { pid } = child;
    child.kill('SIGKILL');
    await once(child, 'exit');
    started.length = 0;

    expect(() => comeForward?.()).not.toThrow();
    expect(standBehind(pid, clock)).toBeNull();
  });
});
