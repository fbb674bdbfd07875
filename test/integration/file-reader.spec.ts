import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { cpuMsOf, FileReader } from '../../src/uploads/intake/file-reader.js';
import { aPicture } from '../support/files.js';

/** Gives up after `timeoutMs`, so that a test need not wait as long as a person would. */
class ImpatientReader extends FileReader {
  override timeoutMs = 60_000;
  override ownFaultMs = 10_000;

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error('no process reads files');
    return this.child.pid;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}

describe('the process that reads files', () => {
  let reader: ImpatientReader;
  beforeEach(() => {
    reader = new ImpatientReader();
  });
  afterEach(async () => {
    await reader.onApplicationShutdown();
    jest.restoreAllMocks();
  });
  const read = async (): ReturnType<FileReader['inspect']> => {
    const bytes = await aPicture(64, 64, 1).jpeg().toBuffer();
    return reader.inspect('image/jpeg', () => once(bytes));
  };

  it('is busy, not the file bad, when it does not get the processor: send it again', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await expect(read()).resolves.toMatchObject({ width: 64, height: 64 });
    process.kill(reader.pid, 'SIGSTOP');
    reader.timeoutMs = 200;
    await expect(read()).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 2 });
    expect(warned).toHaveBeenCalledWith('the process that reads files is starved');
    // The next file has a process of its own.
    reader.timeoutMs = 60_000;
    await expect(read()).resolves.toMatchObject({ width: 64, height: 64 });
  });

  it('refuses a file that had the processor and is not read yet', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await read();
    process.kill(reader.pid, 'SIGSTOP');
    Object.assign(reader, { timeoutMs: 200, ownFaultMs: 0 });
    await expect(read()).rejects.toMatchObject({
      code: 'FILE_TYPE_UNSUPPORTED',
      details: [{ code: 'UNREADABLE' }],
    });
  });

  it('is told how much of the processor it had', () => {
    const ownMs = (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    };
    const TICKS = 20;
    const before = ownMs();
    const told = cpuMsOf(process);
    expect(told).toBeGreaterThan(before - TICKS);
    expect(told).toBeLessThan(ownMs() + TICKS);
  });
});
