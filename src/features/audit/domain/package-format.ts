import { DomainError } from '../../../platform/kernel/domain-error.js';
import type { TrailSummary } from './export.js';

/** Format of the ZIP file that auditors verify offline. It contains two verifiers, `verify.mjs` and `verify.py`. */
export const PACKAGE_FORMAT = 'vigia-audit-package/1';

/** An entry that belongs to the log but is missing in the package. */
export interface MissingEntry {
  readonly subject: string;
  readonly seq: number;
  /** ERASED: sealed, but deleted without a pruning that names the entry. UNSEALED: stored, but never sealed. */
  readonly why: 'ERASED' | 'UNSEALED';
}

export interface PackageManifest {
  readonly format: typeof PACKAGE_FORMAT;
  /** The origin of the log, as in its checkpoints. */
  readonly origin: string;
  readonly treeSize: number;
  readonly root: string;
  /** True if the package holds every entry of the log, so that a verifier can compute the root from them. */
  readonly whole: boolean;
  readonly count: number;
  /** Number of pruned entries, of which the package has only the leaf hash; absent if no entry was pruned. */
  readonly pruned?: number;
  /** Number of missing entries, which `missing.jsonl` lists; absent if no entry is missing. */
  readonly missing?: number;
  readonly filter: Readonly<Record<string, string>>;
  readonly madeAt: string;
  readonly requestedBy: string;
  readonly reason: string;
  /** The verdicts on the trails before the package was written. */
  readonly trails: TrailSummary;
  /** True if a trail with a gap would have blocked the export. */
  readonly auditReady: boolean;
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
}

/**
 * Returns the text that is signed for a package. No checkpoint has this form, so a signature on one is never valid for
 * the other.
 */
export const manifestText = (origin: string, manifestSha256: string): string =>
  `${origin}/package\n${manifestSha256}\n`;

/** Returns the text of README.txt: how to verify the package, and what its files are. */
export const packageReadme = (
  manifest: PackageManifest,
  verifierKey: string,
): string => `Audit package of ${manifest.origin}

${manifest.count} entries${manifest.whole ? (manifest.missing === undefined ? ', the whole log' : `, the log without ${manifest.missing} entries that are not there: see missing.jsonl`) : ` of ${manifest.treeSize}, selected`}, made at ${manifest.madeAt}.
${manifest.pruned === undefined || manifest.missing !== undefined ? '' : `\nOf ${manifest.pruned} of them only the hash is left: they were kept as long as they had to be. Entries of the log name them.\n`}
To verify it, without a network and without trusting whoever made it:

  node verify.mjs PACKAGE.zip --pin '${verifierKey}'
  python3 verify.py PACKAGE.zip --pin '${verifierKey}'      (needs the openssl command)

Take the key from where you noted it before, not from here: whoever forges a package writes its key here too.
If you kept an earlier checkpoint (every webhook carries one in its field "audit"), add --anchor FILE: it shows that
nothing was rewritten or cut off since then.

  events.jsonl       the entries in the order of the log: index, and the bytes that are hashed, base64
  events.csv         the same for a spreadsheet
  summary.pdf        what it is and how to check it, to be printed
  trail-status.jsonl how many trails were judged, and those that are not plainly whole: gaps, and repairs by two people
  prunings.jsonl     if anything was pruned: the entries of the log that name it, each with its path to the root
  missing.jsonl      if entries of the log are not there: erased ones, and stored ones that were never sealed
  proofs.jsonl       for selected entries: the path from each to the root
  consistency.jsonl  that the log of each earlier checkpoint is the beginning of this one
  checkpoint.txt     the signed root (c2sp.org/tlog-checkpoint)
  keys.json          the keys that signed
  manifest.json      the length and SHA-256 of every file; manifest.note is the signature over it
`;

/** True if a package was refused because the log was rolled back or a trail has a gap. */
export const isTrailIncomplete = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'AUDIT_TRAIL_INCOMPLETE';
