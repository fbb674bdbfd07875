import { createHash } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { HeapGuard } from '../../../platform/kernel/work/heap-guard.js';
import type { AuditExportEntity } from '../store/entities.js';
import { ExportRepository, PIECE_BYTES, READ_BYTES, type ClaimedExport } from '../store/export.repository.js';

/** Thrown if another process has claimed the export. */
export class ExportLeaseLostError extends Error {
  constructor() {
    super('The export is made by another process now.');
    this.name = 'ExportLost';
  }
}

/** Stores a file as rows of PIECE_BYTES each. At the end `bytes` and `sha256` describe the whole file. */
export class ChunkWriter extends Writable {
  bytes = 0;
  private readonly hash = createHash('sha256');
  private buffer = Buffer.allocUnsafe(PIECE_BYTES);
  private filled = 0;
  private nextPiece = 0;

  constructor(
    private readonly exports: ExportRepository,
    private readonly claimed: ClaimedExport,
  ) {
    super({ highWaterMark: PIECE_BYTES });
  }

  get sha256(): string {
    return this.hash.copy().digest('hex');
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.consume(chunk).then(() => {
      done();
    }, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.storePiece().then(() => {
      done();
    }, done);
  }

  private async consume(chunk: Buffer): Promise<void> {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(this.buffer, this.filled, at);
      at += copied;
      this.filled += copied;
      if (this.filled === PIECE_BYTES) await this.storePiece();
    }
  }

  private async storePiece(): Promise<void> {
    if (this.filled === 0) return;
    const bytes = this.buffer.subarray(0, this.filled);
    if (!(await this.exports.addChunk(this.claimed, this.nextPiece, bytes))) throw new ExportLeaseLostError();
    this.nextPiece += 1;
    this.filled = 0;
  }
}

@Injectable()
export class ExportFilesService {
  constructor(private readonly exports: ExportRepository) {}

  /** Streams the bytes from `from` to `to`, both included, holding only part of a stored row in memory at a time. */
  read(row: AuditExportEntity, from: number, to: number): Readable {
    return Readable.from(this.readPieces(row, from, to), { objectMode: false, highWaterMark: READ_BYTES });
  }

  private async *readPieces(row: AuditExportEntity, from: number, to: number): AsyncGenerator<Buffer> {
    const heapGuard = new HeapGuard('young');
    for (let at = from; at <= to;) {
      heapGuard.check();
      const number = Math.floor(at / PIECE_BYTES);
      const bytes = await this.exports.readChunk(row, number, at % PIECE_BYTES);
      if (!bytes || bytes.length === 0) throw new Error(`the file of an export lacks piece ${number}`);
      const part = bytes.subarray(0, to - at + 1);
      yield part;
      at += part.length;
    }
  }
}
