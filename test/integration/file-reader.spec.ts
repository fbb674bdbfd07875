import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { cpuMsOf, FileReader } from '../../src/features/uploads/intake/file-reader.js';
import sharp from 'sharp';
import { aPicture } from '../support/files.js';
import { pdfOfPages } from '../support/hostile-files.js';

/** Gives up after `timeoutMs`, so that a test need not wait as long as a person would. */
class ImpatientReader extends FileReader {
  override timeoutMs = 60_000;
  override ownFaultMs = 10_000;
  override mostBytes = 1_024 * 1_024 * 1_024;

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

  it('is ended when a file takes too much memory, and the file is refused', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await expect(read()).resolves.toMatchObject({ width: 64 });
    reader.mostBytes = 1;
    await expect(read()).rejects.toMatchObject({ code: 'FILE_TYPE_UNSUPPORTED' });
    reader.mostBytes = 1_024 * 1_024 * 1_024;
    await expect(read()).resolves.toMatchObject({ width: 64 });
  });

  it('draws a page of a PDF, and says when there is none to draw', async () => {
    const file = await pdfOfPages(2, { size: [1_000, 500] });
    const image = await reader.renderPdfPage(2, () => once(file));
    expect(await sharp(image).metadata()).toMatchObject({ format: 'jpeg', width: 2_000, height: 1_000 });
    for (const [page, bytes] of [
      [3, file],
      [1, Buffer.from('%PDF-1.7 and nothing else %%EOF')],
    ] as const) {
      await expect(reader.renderPdfPage(page, () => once(bytes))).rejects.toMatchObject({
        code: 'ARTIFACT_NOT_SHOWABLE',
      });
    }
  });

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
