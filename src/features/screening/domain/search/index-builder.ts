import { lettersOf } from '../names/words/letters.js';
import { tokenOf, type NameToken } from '../names/name-token.js';
import { normaliseName, type NameKind } from '../names/normalise.js';
import {
  consonantHash,
  deleteHashes,
  hashText,
  kindCodes,
  withHashTag,
  MAX_TOKENS,
  powerOfTwo,
  romanHash,
  soundHash,
  type PackedIndex,
} from './packed-index.js';
import { consonantsOf } from '../names/token-similarity.js';

/** A growable array of 32-bit numbers. */
class GrowableUint32Array {
  private items = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const larger = new Uint32Array(this.items.length * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.length] = value;
    this.length += 1;
  }

  at(i: number): number {
    return this.items[i] ?? 0;
  }

  view(): Uint32Array {
    return this.items.subarray(0, this.length);
  }

  toPacked(): Uint32Array {
    return this.items.slice(0, this.length);
  }
}

/** Builds a token index, name by name. Two names with equal tokens are stored once, with the entries of both. */
export class IndexBuilder {
  private readonly idByKey = new Map<string, number>();
  private readonly keys: string[] = [];
  /** The weight of each token; 0 if it is not searched for. The tokens themselves are not stored. */
  private readonly weights: number[] = [];
  private readonly letters = new GrowableUint32Array();
  private readonly soundHashes = new GrowableUint32Array();
  private readonly soundIds = new GrowableUint32Array();
  private readonly deleteHashes = new GrowableUint32Array();
  private readonly deleteIds = new GrowableUint32Array();
  private readonly scratchHashes: number[] = [];
  private readonly nameAt = new GrowableUint32Array();
  private readonly nameTokens = new GrowableUint32Array();
  private readonly kinds = new GrowableUint32Array();
  /** Names by hash of their tokens: open addressing, doubled when half full. */
  private table = new Int32Array(4096).fill(-1);
  private readonly nameHash = new GrowableUint32Array();
  /** The name and the entry of each pair: an entry has a pair for each of its names. */
  private readonly pairName = new GrowableUint32Array();
  private readonly pairEntry = new GrowableUint32Array();

  /** Adds a name of the entry; the caller assigns entry numbers. */
  add(raw: string, kind: NameKind, entry: number): void {
    const keys = normaliseName(raw, kind);
    if (keys.length === 0) return;
    const name = this.nameOf(keys, kindCodes.indexOf(kind));
    this.pairName.push(name);
    this.pairEntry.push(entry);
  }

  private idOf(key: string): number {
    const knownIndex = this.idByKey.get(key);
    if (knownIndex !== undefined) return knownIndex;
    const id = this.keys.length;
    if (id >= MAX_TOKENS) throw new RangeError('a list has more different words than an index can hold');
    this.idByKey.set(key, id);
    this.keys.push(key);
    const token = tokenOf(key);
    const searched = isSearched(token);
    this.weights.push(searched ? token.weight : 0);
    this.letters.push(lettersOf(token.text));
    if (searched && token.role !== 'NUMBER') {
      this.addSounds(token, id);
      this.addDeletes(token.text, id);
    }
    return id;
  }

  private addSounds(token: NameToken, id: number): void {
    this.soundHashes.push(soundHash(token.fold));
    this.soundIds.push(id);
    for (const language of ['chinese', 'korean'] as const) {
      const key = token[language];
      if (key === null) continue;
      this.soundHashes.push(romanHash(key, language, token.script === 'FULL'));
      this.soundIds.push(id);
    }
    for (const script of ['CONSONANTS', 'SYLLABLES'] as const) {
      if (token.script !== 'FULL' && token.script !== script) continue;
      const consonants = consonantsOf(token, script);
      if (consonants === '') continue;
      this.soundHashes.push(consonantHash(consonants, script, token.script === 'FULL'));
      this.soundIds.push(id);
    }
  }

  private addDeletes(text: string, id: number): void {
    this.scratchHashes.length = 0;
    deleteHashes(text, this.scratchHashes);
    for (const hash of this.scratchHashes) {
      this.deleteHashes.push(hash);
      this.deleteIds.push(id);
    }
  }

  private nameOf(keys: readonly string[], kind: number): number {
    const from = this.nameTokens.length;
    let hash = kind;
    for (const key of keys) {
      const id = this.idOf(key);
      this.nameTokens.push(id);
      hash = Math.imul(hash ^ id, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash >>>= 0;
    const mask = this.table.length - 1;
    let slot = hash & mask;
    for (;;) {
      const name = this.table[slot] ?? -1;
      if (name < 0) break;
      if (this.nameHash.at(name) === hash && this.isSame(name, from, keys.length, kind)) {
        this.nameTokens.length = from;
        return name;
      }
      slot = (slot + 1) & mask;
    }
    const name = this.nameAt.length;
    this.table[slot] = name;
    this.nameAt.push(from);
    this.nameHash.push(hash);
    this.kinds.push(kind);
    if (name * 2 > this.table.length) this.growTable();
    return name;
  }

  private isSame(name: number, from: number, length: number, kind: number): boolean {
    const at = this.nameAt.at(name);
    const end = name + 1 < this.nameAt.length ? this.nameAt.at(name + 1) : from;
    if (end - at !== length || this.kinds.at(name) !== kind) return false;
    for (let i = 0; i < length; i += 1) {
      if (this.nameTokens.at(at + i) !== this.nameTokens.at(from + i)) return false;
    }
    return true;
  }

  private growTable(): void {
    const larger = new Int32Array(this.table.length * 4).fill(-1);
    const mask = larger.length - 1;
    for (let name = 0; name < this.nameAt.length; name += 1) {
      let slot = this.nameHash.at(name) & mask;
      while ((larger[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      larger[slot] = name;
    }
    this.table = larger;
  }

  /** Packs the index; the builder cannot be used again. */
  build(): PackedIndex {
    const names = this.nameAt.length;
    this.nameAt.push(this.nameTokens.length);
    const nameAt = this.nameAt.toPacked();
    const nameTokens = this.nameTokens.toPacked();
    const nameWeight = new Float32Array(names);
    for (let name = 0; name < names; name += 1) {
      let weight = 0;
      for (let i = nameAt[name] ?? 0; i < (nameAt[name + 1] ?? 0); i += 1) {
        weight += this.weights[nameTokens[i] ?? 0] ?? 0;
      }
      nameWeight[name] = weight;
    }
    const owners = ownersOf(nameAt);
    const postings = groupValues(
      nameTokens,
      owners,
      this.keys.length,
      (i) => (this.weights[nameTokens[i] ?? 0] ?? 0) > 0,
    );
    const bearers = groupValues(this.pairName.view(), this.pairEntry.view(), names, () => true);
    const sounds = bucketHashes(this.soundHashes.view(), this.soundIds.view());
    const deletes = bucketHashes(this.deleteHashes.view(), this.deleteIds.view());
    return {
      ...this.packVocabulary(),
      letters: this.letters.toPacked(),
      soundsAt: sounds.at,
      sounds: sounds.items,
      deletesAt: deletes.at,
      deletes: deletes.items,
      nameAt,
      nameTokens,
      nameWeight,
      nameKind: Uint8Array.from(this.kinds.view()),
      postingsAt: postings.at,
      postings: postings.items,
      bearersAt: bearers.at,
      bearers: bearers.items,
    };
  }

  private packVocabulary(): Pick<PackedIndex, 'vocabulary' | 'vocabularyAt' | 'exact'> {
    const vocabularyAt = new Uint32Array(this.keys.length + 1);
    let length = 0;
    this.keys.forEach((key, id) => {
      vocabularyAt[id] = length;
      length += key.length;
    });
    vocabularyAt[this.keys.length] = length;
    const vocabulary = new Uint8Array(length);
    const exact = new Int32Array(powerOfTwo(Math.max(16, this.keys.length * 2))).fill(-1);
    const mask = exact.length - 1;
    this.keys.forEach((key, id) => {
      const at = vocabularyAt[id] ?? 0;
      for (let i = 0; i < key.length; i += 1) vocabulary[at + i] = key.charCodeAt(i);
      let slot = hashText(key) & mask;
      while ((exact[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      exact[slot] = id;
    });
    return { vocabulary, vocabularyAt, exact };
  }
}

const isSearched = ({ role }: NameToken): boolean =>
  role === 'NAME' || role === 'GENERIC' || role === 'NUMBER';

/** Returns, for each position in `nameTokens`, the number of the name that it belongs to. */
function ownersOf(nameAt: Uint32Array): Uint32Array {
  const owners = new Uint32Array(nameAt.at(-1) ?? 0);
  for (let name = 0; name + 1 < nameAt.length; name += 1) owners.fill(name, nameAt[name], nameAt[name + 1]);
  return owners;
}

interface Grouped {
  readonly at: Uint32Array;
  readonly items: Uint32Array;
}

/** Counting sort: returns the values of each group, one group after another. */
function groupValues(
  groups: Uint32Array,
  values: Uint32Array,
  count: number,
  wanted: (i: number) => boolean,
): Grouped {
  const at = new Uint32Array(count + 1);
  for (let i = 0; i < groups.length; i += 1) {
    if (wanted(i)) at[(groups[i] ?? 0) + 1] = (at[(groups[i] ?? 0) + 1] ?? 0) + 1;
  }
  for (let group = 0; group < count; group += 1) at[group + 1] = (at[group + 1] ?? 0) + (at[group] ?? 0);
  const items = new Uint32Array(at[count] ?? 0);
  const next = at.slice();
  for (let i = 0; i < groups.length; i += 1) {
    if (!wanted(i)) continue;
    const group = groups[i] ?? 0;
    items[next[group] ?? 0] = values[i] ?? 0;
    next[group] = (next[group] ?? 0) + 1;
  }
  return { at, items };
}

function bucketHashes(hashes: Uint32Array, ids: Uint32Array): Grouped {
  // Four items per bucket on average: hash tags reject wrong items, and few buckets fit into the processor's cache.
  const buckets = powerOfTwo(Math.max(16, hashes.length / 4));
  const mask = buckets - 1;
  for (let i = 0; i < hashes.length; i += 1) {
    const hash = hashes[i] ?? 0;
    ids[i] = withHashTag(ids[i] ?? 0, hash);
    hashes[i] = hash & mask;
  }
  return groupValues(hashes, ids, buckets, () => true);
}
