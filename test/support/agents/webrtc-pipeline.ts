import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgentProcess } from '../processes/agent-process.ts';
import { folder, python } from './pipecat-pipeline.ts';

/** A Pipecat bot with a face that people join by a page, in its own process. Close it. */
export class WebrtcPipeline {
  readonly process: AgentProcess;
  readonly #files: string;
  /** The address of the page. */
  readonly address: string;

  /** `line` is Python that makes the video service; `speech` has 16 kHz. */
  static async start(line: string, speech: Int16Array): Promise<WebrtcPipeline> {
    const files = await mkdtemp(path.join(tmpdir(), 'troupe-webrtc-'));
    const speechFile = path.join(files, 'said.pcm');
    await writeFile(speechFile, speech);
    const bot = new AgentProcess(python, ['webrtc_bot.py'], {
      cwd: folder,
      env: {
        LINE: line,
        SPEECH: speechFile,
      },
    });
    const { port } = await bot.next<{ port: number }>('listens');
    return new WebrtcPipeline(bot, files, `http://127.0.0.1:${port}`);
  }

  private constructor(bot: AgentProcess, files: string, address: string) {
    this.process = bot;
    this.#files = files;
    this.address = address;
  }

  /** Resolves when Pipecat reports that the bot has stopped speaking. */
  async say(): Promise<void> {
    const answer = await fetch(new URL('/say', this.address), { method: 'POST' });
    if (!answer.ok) throw new Error(`the bot answered ${answer.status}`);
  }

  async close(): Promise<void> {
    await this.process.stop();
    await rm(this.#files, { recursive: true });
  }
}
