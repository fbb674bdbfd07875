import { View } from '../../../platform/http/index.js';
import type { TrailSummary, ExportResult } from '../domain/export.js';

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class TrailSummaryView implements TrailSummary {
  @View.integer('How many things have a trail.', { minimum: 0, example: 500_000 }) subjects: number;
  @View.integer('How many trails are whole.', { minimum: 0, example: 500_000 }) complete: number;
  @View.integer('How many have a gap that two people answered for.', { minimum: 0, example: 0 })
  attested: number;
  @View.integer('How many have a gap.', { minimum: 0, example: 0 }) incomplete: number;
  @View.integer('Their time of keeping is over.', { minimum: 0, example: 0 }) pruned: number;
}

export class ExportResultView implements ExportResult {
  @View.integer('Entries in it.', { minimum: 0, example: 1_000_000 }) entries: number;
  @View.integer('Length of the file.', { minimum: 0, example: 310_000_000 }) bytes: number;
  @View.text('Of the file, hexadecimal.', { example: SHA256 }) sha256: string;
  @View.text('Of the signed manifest in it, hexadecimal.', { example: SHA256 }) manifestSha256: string;
  @View.integer('Entries of the log then.', { minimum: 0, example: 1_000_000 }) treeSize: number;

  @View.text('Signed root, base64.', { example: 'qqIDzZ7Hn2qZmF0gYQGGGQv8bXz4NqkXnUQX2b3r1dQ=' })
  root: string;

  @View.object(TrailSummaryView, 'The state of the trails.') trails: Readonly<TrailSummaryView>;
}
