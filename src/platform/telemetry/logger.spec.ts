import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StructuredLogger } from './logger.js';

describe('the file of the log', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'vigia-log-'));
  });
  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  const modeAfterALine = async (file: string): Promise<string> => {
    const logger = new StructuredLogger({ level: 'info', file, name: 'Vigia', role: 'all' });
    logger.log('the next line');
    const isWritten = (): boolean => existsSync(file) && readFileSync(file, 'utf8').includes('the next line');
    while (!isWritten()) await sleep(10);
    logger.onApplicationShutdown();
    return (statSync(file).mode & 0o777).toString(8);
  };

  it('is read by its owner alone, also when it was there before and others could read it', async () => {
    expect(await modeAfterALine(path.join(dir, 'new/vigia.log'))).toBe('600');
    const old = path.join(dir, 'old.log');
    writeFileSync(old, 'a line of before\n');
    chmodSync(old, 0o644);
    expect(await modeAfterALine(old)).toBe('600');
  });
});
