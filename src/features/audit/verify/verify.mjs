#!/usr/bin/env node
/**
 * Verifies an audit package offline: node verify.mjs PACKAGE --pin KEY [--anchor FILE]...
 *
 * PACKAGE is the ZIP file, or the folder that it was unpacked into. One file, built-in modules of Node 18 or newer only,
 * and no line shared with the service that made the package. verify.py does the same in Python.
 *
 *   --pin KEY      the public key (name+hash+base64) that you were given by another way than this package
 *   --anchor FILE  a checkpoint that you kept earlier: a signed note, or the JSON of a webhook or of its `audit` field
 *   --allow-unpinned  believe the package about its own key
 *
 * Exit code: 0 verified, 1 tampered, 2 incomplete, 3 cannot be verified (unreadable, or of another format), 4 not pinned:
 * all of it was signed, by a key that only the package itself names.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, promises as fs, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInflateRaw } from 'node:zlib';

const FORMAT = 'vigia-audit-package/1';
const AROUND = 'there is something around the archive';
const DASH = '\u2014 ';
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

class Tampered extends Error {}
class Incomplete extends Error {}
class Unverifiable extends Error {}

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);
const leafHash = (bytes) => sha256(LEAF, bytes);
const nodeHash = (left, right) => sha256(NODE, left, right);

// --- the package: a ZIP file or a folder ---------------------------------------------------------------------------

async function openPackage(location) {
  const stat = await fs.stat(location).catch(() => null);
  if (!stat) throw new Unverifiable(`there is no ${location}`);
  return stat.isDirectory() ? openFolder(location) : openZip(location, stat.size);
}

async function openFolder(folder) {
  const names = new Set(await fs.readdir(folder));
  return {
    names,
    stream: (name) => createReadStream(path.join(folder, name)),
  };
}

/** The central directory at the end of the file says where each member begins; ZIP64 where a number does not fit. */
async function openZip(file, size) {
  const handle = await fs.open(file);
  const read = async (position, length) => {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, position);
    if (bytesRead !== length) throw new Unverifiable('the ZIP file is cut off');
    return buffer;
  };
  try {
    const tail = await read(Math.max(0, size - 65_557), Math.min(size, 65_557));
    const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'));
    if (end < 0 || end + 22 > tail.length) throw new Unverifiable('the file is no ZIP file');
    if (end + 22 !== tail.length || tail.readUInt16LE(end + 20) !== 0) throw new Tampered(AROUND);
    // The directory has to end here.
    let close = size - 22;
    let count = tail.readUInt16LE(end + 10);
    let length = tail.readUInt32LE(end + 12);
    let start = tail.readUInt32LE(end + 16);
    if (count === 0xffff || length === 0xffffffff || start === 0xffffffff) {
      const locator = await read(Math.max(0, close - 20), 20);
      if (locator.readUInt32LE(0) !== 0x07064b50) throw new Unverifiable('the ZIP file is cut off');
      if (Number(locator.readBigUInt64LE(8)) !== close - 76) throw new Tampered(AROUND);
      close -= 76;
      const record = await read(close, 56);
      count = Number(record.readBigUInt64LE(32));
      length = Number(record.readBigUInt64LE(40));
      start = Number(record.readBigUInt64LE(48));
    }
    if (start + length > size) throw new Unverifiable('the ZIP file is cut off');
    if (start + length !== close) throw new Tampered(AROUND);
    const directory = await read(start, length);
    const members = new Map();
    for (let at = 0, i = 0; i < count; i += 1) {
      if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) {
        throw new Unverifiable('the directory of the ZIP file is damaged');
      }
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((o) =>
        directory.readUInt16LE(at + o),
      );
      const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
      const member = {
        method: directory.readUInt16LE(at + 10),
        compressed: directory.readUInt32LE(at + 20),
        plain: directory.readUInt32LE(at + 24),
        offset: directory.readUInt32LE(at + 42),
      };
      widen(member, directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength));
      if (members.has(name)) throw new Tampered(`the ZIP file has ${name} twice`);
      members.set(name, member);
      at += 46 + nameLength + extraLength + commentLength;
    }
    if (![...members.values()].some(({ offset }) => offset === 0)) throw new Tampered(AROUND);
    const bodies = new Map();
    for (const [name, member] of members) {
      const local = await read(member.offset, 30);
      const begin = member.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
      bodies.set(name, { ...member, begin });
    }
    return { names: new Set(members.keys()), stream: (name) => memberStream(file, bodies.get(name)) };
  } finally {
    await handle.close();
  }
}

function widen(member, extra) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let field = at + 4;
    for (const key of ['plain', 'compressed', 'offset']) {
      if (member[key] !== 0xffffffff) continue;
      member[key] = Number(extra.readBigUInt64LE(field));
      field += 8;
    }
  }
}

function memberStream(file, { method, begin, compressed }) {
  if (method !== 0 && method !== 8) throw new Unverifiable('the ZIP file is compressed in an unknown way');
  const raw = createReadStream(file, { start: begin, end: Math.max(begin, begin + compressed - 1) });
  if (compressed === 0) return (async function* empty() {})();
  if (method === 0) return raw;
  const inflate = createInflateRaw();
  raw.on('error', (error) => inflate.destroy(error));
  return raw.pipe(inflate);
}

/** Reads a member whole, or hands each of its lines to `line`; gives its length and SHA-256 either way. */
async function readMember(pack, name, line) {
  if (!pack.names.has(name)) throw new Incomplete(`${name} is missing`);
  const hash = createHash('sha256');
  const kept = [];
  let bytes = 0;
  let rest = '';
  try {
    for await (const chunk of pack.stream(name)) {
      hash.update(chunk);
      bytes += chunk.length;
      if (!line) kept.push(chunk);
      else if (line !== skip) {
        const lines = (rest + chunk.toString('latin1')).split('\n');
        rest = lines.pop();
        for (const text of lines) line(text);
      }
    }
  } catch (error) {
    if (error instanceof Tampered || error instanceof Incomplete) throw error;
    throw new Tampered(`${name} cannot be read: ${error.message}`);
  }
  if (rest !== '') throw new Tampered(`${name} does not end with a line`);
  return { bytes, sha256: hash.digest('hex'), text: Buffer.concat(kept).toString('utf8') };
}
const skip = () => {};

/** Parses JSON whose numbers all fit; a text that is no JSON was changed. */
function parsed(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Tampered(`${what} is no JSON`);
  }
}

// --- signed notes (c2sp.org/signed-note, c2sp.org/tlog-checkpoint) ---------------------------------------------------

function keyOf(vkey) {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u.exec(String(vkey));
  const raw = Buffer.from(match?.[3] ?? '', 'base64');
  if (raw.length !== 33 || raw[0] !== 1) throw new Unverifiable('a key is not of the form name+hash+base64');
  const id = sha256(`${match[1]}\n`, raw).subarray(0, 4);
  if (id.toString('hex') !== match[2]) throw new Tampered('the hash in a key is not its own');
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI, raw.subarray(1)]),
    format: 'der',
    type: 'spki',
  });
  return { name: match[1], id, publicKey, vkey };
}

/** Returns the text of a note that one of the keys has signed; throws otherwise. */
function signedText(note, keys, what) {
  const split = note.indexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) throw new Tampered(`${what} is no signed note`);
  const text = note.slice(0, split + 1);
  for (const line of note.slice(split + 2, -1).split('\n')) {
    const match = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line);
    const bytes = Buffer.from(match?.[2] ?? '', 'base64');
    if (!match || bytes.toString('base64') !== match[2])
      throw new Tampered(`${what} has a line that is no signature`);
    const key = keys.find(({ name, id }) => name === match[1] && id.equals(bytes.subarray(0, 4)));
    if (!key) continue;
    if (bytes.length !== 68 || !verify(null, Buffer.from(text), key.publicKey, bytes.subarray(4))) {
      throw new Tampered(`the signature of ${what} is not valid`);
    }
    return text;
  }
  throw new Tampered(`${what} is not signed by a key that counts`);
}

function isSigned(note, keys) {
  try {
    signedText(note, keys, 'the note');
    return true;
  } catch (error) {
    if (error instanceof Tampered) return false;
    throw error;
  }
}

function checkpointIn(note, keys, what) {
  const [origin, size, root] = signedText(note, keys, what).split('\n');
  const bytes = Buffer.from(root ?? '', 'base64');
  if (!/^(0|[1-9]\d{0,15})$/.test(size ?? '') || bytes.length !== 32)
    throw new Tampered(`${what} is no checkpoint`);
  return { origin, size: Number(size), root: bytes };
}

/** Returns a note as it is, or makes one of the JSON that a webhook carried. */
function anchorNote(text, name) {
  if (!text.trimStart().startsWith('{')) return text;
  const json = parsed(text, 'the anchor');
  const audit = json.audit ?? json;
  if (typeof audit.origin !== 'string') throw new Unverifiable('the anchor holds no checkpoint');
  return `${audit.origin}\n${audit.size}\n${audit.root}\ntime ${audit.signedAt}\n\n${DASH}${name} ${audit.signature}\n`;
}

// --- Merkle tree (RFC 6962) ------------------------------------------------------------------------------------------

/** Takes leaves one by one and knows the root at every size. */
class Tree {
  constructor() {
    this.size = 0;
    this.roots = [];
  }

  add(leaf) {
    let node = leaf;
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) node = nodeHash(this.roots.pop(), node);
    this.roots.push(node);
    this.size += 1;
  }

  root() {
    if (this.roots.length === 0) return sha256();
    return this.roots.reduceRight((right, left) => nodeHash(left, right));
  }
}

function rootOfPath(index, size, leaf, siblings) {
  let position = index;
  let last = size - 1;
  let node = leaf;
  for (const sibling of siblings) {
    if (last === 0) return null;
    if (position % 2 === 1 || position === last) {
      node = nodeHash(sibling, node);
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2);
        last = Math.floor(last / 2);
      }
    } else node = nodeHash(node, sibling);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? node : null;
}

function isConsistent(from, to, proof) {
  if (from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return proof.length === 0 && from.root.equals(sha256());
  let position = from.size - 1;
  let last = to.size - 1;
  while (position % 2 === 1) {
    position = (position - 1) / 2;
    last = Math.floor(last / 2);
  }
  const nodes = position === 0 ? [from.root, ...proof] : [...proof];
  let earlier = nodes.shift();
  let later = earlier;
  if (!earlier) return false;
  for (const node of nodes) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      earlier = nodeHash(node, earlier);
      later = nodeHash(node, later);
      while (position % 2 === 0 && position !== 0) {
        position = Math.floor(position / 2);
        last = Math.floor(last / 2);
      }
    } else later = nodeHash(later, node);
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && earlier.equals(from.root) && later.equals(to.root);
}

// --- the verification -------------------------------------------------------------------------------------------------

/** Verifies a package; returns what it found as lines of text, or throws. */
export async function verifyPackage(location, { pins = [], anchors = [] } = {}) {
  const pack = await openPackage(location);
  const manifestFile = await readMember(pack, 'manifest.json');
  const manifest = parsed(manifestFile.text, 'manifest.json');
  if (manifest.format !== FORMAT) throw new Unverifiable(`the format is not ${FORMAT}`);

  const named = (parsed((await readMember(pack, 'keys.json')).text, 'keys.json').verifierKeys ?? []).map(
    keyOf,
  );
  const trusted = pins.length > 0 ? pins.map(keyOf) : named;
  if (trusted.length === 0) throw new Unverifiable('the package names no key');

  const note = (await readMember(pack, 'manifest.note')).text;
  if (pins.length > 0 && !isSigned(note, trusted) && isSigned(note, named)) {
    throw new Unverifiable(
      'the package is signed by a key of its own that is not pinned: the pin is of another log, or the package is a forgery',
    );
  }
  const seal = signedText(note, trusted, 'manifest.note');
  if (seal !== `${manifest.origin}/package\n${manifestFile.sha256}\n`) {
    throw new Tampered('manifest.json is not the one that was signed');
  }
  const checkpoint = checkpointIn((await readMember(pack, 'checkpoint.txt')).text, trusted, 'checkpoint.txt');
  if (checkpoint.origin !== manifest.origin || checkpoint.size !== manifest.treeSize) {
    throw new Tampered('checkpoint.txt belongs to another package');
  }

  const known = anchors.map(({ name, text }) => ({
    name,
    ...checkpointIn(anchorNote(text, trusted[0].name), trusted, `the anchor ${name}`),
  }));
  for (const anchor of known) {
    if (anchor.origin !== checkpoint.origin)
      throw new Unverifiable(`the anchor ${anchor.name} is of another log`);
    if (anchor.size > checkpoint.size) {
      throw new Tampered(
        `the log was shortened: the anchor ${anchor.name} has more entries than the package`,
      );
    }
  }

  const events = await readEvents(pack, manifest, checkpoint, known);
  const read = new Map([
    ['keys.json', await readMember(pack, 'keys.json', skip)],
    ['checkpoint.txt', await readMember(pack, 'checkpoint.txt', skip)],
    ['events.jsonl', events.file],
    ...(events.proofs ? [['proofs.jsonl', events.proofs]] : []),
  ]);
  for (const [name, expected] of Object.entries(manifest.files)) {
    const found = read.get(name) ?? (await readMember(pack, name, skip));
    if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256)
      throw new Tampered(`${name} was changed`);
  }
  for (const name of pack.names) {
    if (name !== 'manifest.json' && name !== 'manifest.note' && !(name in manifest.files)) {
      throw new Tampered(`${name} was added`);
    }
  }
  await checkAnchors(pack, events, checkpoint, known);
  if ((manifest.missing ?? 0) !== 0)
    throw new Incomplete(`${manifest.missing} entries of the log are not here: missing.jsonl names them`);

  return [
    `entries       ${events.count}${manifest.whole ? ' (the whole log)' : ` of ${checkpoint.size}, selected`}`,
    ...(events.pruned > 0
      ? [`pruned        of ${events.pruned} only the hash is left; the log names them`]
      : []),
    `log           ${checkpoint.origin}`,
    `root          ${checkpoint.root.toString('base64')}`,
    `trails        ${manifest.whole ? `${events.subjects} subjects, none with a gap` : 'not judged: selected entries only'}`,
    `files         ${Object.keys(manifest.files).length} unchanged`,
    pins.length > 0
      ? `key           pinned: ${trusted[0].vkey}`
      : `key           NOT PINNED: the package was believed about its own key ${trusted[0].vkey}`,
    known.length > 0
      ? `anchors       ${known.length} earlier checkpoints are beginnings of this log`
      : 'anchors       none given: only an earlier checkpoint shows that nothing was rewritten since',
  ];
}

async function readEvents(pack, manifest, checkpoint, anchors) {
  const proofs = manifest.whole ? null : await readProofs(pack);
  const prunings = await readPrunings(pack, checkpoint);
  let pruned = 0;
  const tree = new Tree();
  const chains = new Map();
  const rootsAt = new Map();
  let count = 0;
  let previous = -1;
  const wanted = new Set(anchors.map(({ size }) => size));
  if (wanted.has(0)) rootsAt.set(0, tree.root());
  const file = await readMember(pack, 'events.jsonl', (line) => {
    const event = parsed(line, 'a line of events.jsonl');
    const { index } = event;
    if (!Number.isSafeInteger(index) || index <= previous || index >= checkpoint.size) {
      throw new Tampered(`events.jsonl is not in the order of the log after entry ${previous}`);
    }
    previous = index;
    count += 1;
    // A character that the decoder ignores changes the digest of the file, which the signed manifest names.
    const canonical = 'pruned' in event ? null : Buffer.from(String(event.canonical), 'base64');
    if (!canonical) {
      pruned += 1;
      if (!prunings.names(index))
        throw new Incomplete(`entry ${index} is missing: no entry of the log names it as pruned`);
    }
    const leaf = canonical ? leafHash(canonical) : Buffer.from(String(event.pruned), 'base64');
    if (manifest.whole) {
      if (index !== tree.size) throw new Incomplete(`entry ${tree.size} is missing`);
      tree.add(leaf);
      if (wanted.has(tree.size)) rootsAt.set(tree.size, tree.root());
      if (canonical) follow(chains, canonical, leaf, index);
      // The claimed subject of a pruned leaf counts only if a later entry goes on from its hash.
      else chains.set(event.subject, { seq: event.seq, hash: leaf.toString('hex') });
    } else {
      const siblings = proofs.paths.get(index);
      if (!siblings) throw new Incomplete(`entry ${index} has no proof`);
      if (!rootOfPath(index, checkpoint.size, leaf, siblings)?.equals(checkpoint.root)) {
        throw new Tampered(`entry ${index} is not in the log`);
      }
    }
  });
  if (count !== manifest.count)
    throw new Incomplete(`the manifest names ${manifest.count} entries, there are ${count}`);
  if (pruned !== (manifest.pruned ?? 0))
    throw new Incomplete(`the manifest names ${manifest.pruned ?? 0} pruned entries, there are ${pruned}`);
  if (manifest.whole) {
    if (tree.size !== checkpoint.size)
      throw new Incomplete(`the log has ${checkpoint.size} entries, here are ${tree.size}`);
    if (!tree.root().equals(checkpoint.root)) throw new Tampered('the entries do not give the signed root');
  }
  return { count, pruned, file, proofs: proofs?.file ?? null, rootsAt, subjects: chains.size };
}

/** Reads which entries the log names as pruned. Each entry that names some is proven to be in the log. */
async function readPrunings(pack, checkpoint) {
  const runs = [];
  if (pack.names.has('prunings.jsonl')) {
    await readMember(pack, 'prunings.jsonl', (line) => {
      const { index, canonical: text, path: siblings } = parsed(line, 'a line of prunings.jsonl');
      const canonical = Buffer.from(String(text), 'base64');
      const nodes = siblings.map((node) => Buffer.from(node, 'base64'));
      if (!rootOfPath(index, checkpoint.size, leafHash(canonical), nodes)?.equals(checkpoint.root))
        throw new Tampered(`the pruning in entry ${index} is not in the log`);
      const entry = parsed(canonical.toString('utf8'), `entry ${index}`);
      if (entry.action !== 'audit_log.pruned' || entry.subject !== `audit_log:${entry.organisation}`)
        throw new Tampered(`entry ${index} is no pruning`);
      for (const range of entry.content.leaves) {
        const [from, to = from] = range.split('-').map(Number);
        runs.push([from, to]);
      }
    });
  }
  runs.sort((a, b) => a[0] - b[0]);
  let at = 0;
  return {
    // To be called in the order of the log.
    names(index) {
      while (at < runs.length && runs[at][1] < index) at += 1;
      return at < runs.length && runs[at][0] <= index;
    },
  };
}

/** Each entry names its place in the trail of its subject and the hash of the one before. */
function follow(chains, canonical, leaf, index) {
  const entry = parsed(canonical.toString('utf8'), `entry ${index}`);
  if (typeof entry?.subject !== 'string' || !Number.isSafeInteger(entry.seq)) {
    throw new Tampered(`entry ${index} is not of the form of an entry`);
  }
  const last = chains.get(entry.subject);
  if (entry.seq !== (last?.seq ?? 0) + 1)
    throw new Incomplete(`the trail of ${entry.subject} has a gap before entry ${index}`);
  if ((entry.previous ?? null) !== (last?.hash ?? null)) {
    throw new Tampered(`entry ${index} does not follow the one before it in the trail of ${entry.subject}`);
  }
  chains.set(entry.subject, { seq: entry.seq, hash: leaf.toString('hex') });
}

async function readProofs(pack) {
  const paths = new Map();
  const file = await readMember(pack, 'proofs.jsonl', (line) => {
    const { index, path: siblings } = parsed(line, 'a line of proofs.jsonl');
    paths.set(
      index,
      siblings.map((node) => Buffer.from(node, 'base64')),
    );
  });
  return { paths, file };
}

async function checkAnchors(pack, events, checkpoint, anchors) {
  const proofs = new Map();
  if (anchors.length > 0 && pack.names.has('consistency.jsonl')) {
    await readMember(pack, 'consistency.jsonl', (line) => {
      const { from, path: nodes } = parsed(line, 'a line of consistency.jsonl');
      proofs.set(
        from,
        nodes.map((node) => Buffer.from(node, 'base64')),
      );
    });
  }
  for (const anchor of anchors) {
    const root = events.rootsAt.get(anchor.size);
    const proof = proofs.get(anchor.size);
    if (!root && !proof && anchor.size !== checkpoint.size) {
      throw new Unverifiable(
        `the package has no proof for the size ${anchor.size} of the anchor ${anchor.name}`,
      );
    }
    const holds = root ? root.equals(anchor.root) : isConsistent(anchor, checkpoint, proof ?? []);
    if (!holds) throw new Tampered(`the log was rewritten since the anchor ${anchor.name}`);
  }
}

// --- command line -----------------------------------------------------------------------------------------------------

const verdicts = [
  [Tampered, 1, 'TAMPERED'],
  [Incomplete, 2, 'INCOMPLETE'],
  [Unverifiable, 3, 'CANNOT BE VERIFIED'],
];

export async function main(args, print) {
  const pins = [];
  const anchors = [];
  let location = null;
  let isBelieved = false;
  try {
    for (let i = 0; i < args.length; i += 1) {
      if (args[i] === '--pin') pins.push(args[++i]);
      else if (args[i] === '--anchor') {
        const name = args[++i];
        anchors.push({
          name: path.basename(name ?? ''),
          text: await fs.readFile(name, 'utf8').catch(() => ''),
        });
      } else if (args[i] === '--allow-unpinned') isBelieved = true;
      else location = args[i];
    }
    if (location === null)
      throw new Unverifiable('usage: node verify.mjs PACKAGE --pin KEY [--anchor FILE]...');
    for (const line of await verifyPackage(location, { pins, anchors })) print(line);
    if (pins.length === 0 && !isBelieved) {
      print('NOT PINNED: give the key that you noted before (--pin), or --allow-unpinned');
      return 4;
    }
    print('VERIFIED');
    return 0;
  } catch (error) {
    const found = verdicts.find(([kind]) => error instanceof kind);
    if (found) print(`${found[2]}: ${error.message}`);
    // An unexpected form means that the package was changed.
    else print(`TAMPERED: the package is not of its form (${error.name})`);
    return found?.[1] ?? 1;
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
}
