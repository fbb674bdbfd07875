import { Injectable } from '@nestjs/common';
import { customerContext, ForgetWithCustomer, parseProfile } from '../../customers/index.js';
import { CommitMarks, type QuietCheck, type Tx } from '../../../platform/database/index.js';
import { BlindIndex, Vault } from '../../../platform/privacy/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { searchWords } from '../../screening/index.js';
import { hashKeys, storedKeys, wordToken, type WordWithSound } from '../domain/name-keys.js';
import { NameIndexRepository, type ChangedName, type IndexedName } from '../store/name-index.repository.js';

const EVERY_MS = 1_000;
const BATCH = 500;
// Maximum number of batches per run, so that a shutdown does not wait for a million names.
const MAX_BATCHES = 40;
/** Maximum number of words indexed per name; nobody searches by more. */
const MAX_WORDS = 12;

/** Indexes customers by the words of their names, soon after a name is new or changes. */
@Injectable()
export class NameIndexService {
  private readonly quietCheck: QuietCheck;

  constructor(
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly names: NameIndexRepository,
    marks: CommitMarks,
  ) {
    this.quietCheck = marks.newCheck();
  }

  @Periodic({ everyMs: EVERY_MS, otherwise: 'new names are not found', runsIn: 'workers' })
  async catchUp(): Promise<void> {
    if (await this.quietCheck.isQuiet()) return;
    for (let i = 0; i < MAX_BATCHES; i += 1) {
      const changedCustomers = await this.names.listPendingChanges(BATCH);
      if (changedCustomers.length === 0) this.quietCheck.settle();
      for (const organisationId of new Set(changedCustomers.map((one) => one.organisationId))) {
        const names = changedCustomers.filter((one) => one.organisationId === organisationId);
        await this.names.write(organisationId, await this.indexNames(organisationId, names));
      }
      if (changedCustomers.length < BATCH) return;
    }
  }

  @ForgetWithCustomer('names')
  async forget(tx: Tx, organisationId: string, customerIds: readonly string[]): Promise<void> {
    await this.names.forget(tx, organisationId, customerIds);
  }

  private async indexNames(organisationId: string, names: readonly ChangedName[]): Promise<IndexedName[]> {
    const plaintexts = await this.vault.openMany(
      names.map((name) => ({ sealed: name.sealed, context: customerContext(name) })),
    );
    const wordByKey = new Map<string, IndexedName['words'][number]>();
    return names.map((name, i) => {
      const plaintext = plaintexts[i];
      const profileName = plaintext ? parseProfile(plaintext).name : null;
      const words = profileName === null ? [] : distinctWords(searchWords(profileName)).slice(0, MAX_WORDS);
      return { name, words: words.map((word) => this.tokensOf(organisationId, word, wordByKey)) };
    });
  }

  private tokensOf(
    organisationId: string,
    word: WordWithSound,
    known: Map<string, IndexedName['words'][number]>,
  ): IndexedName['words'][number] {
    const knownWord = known.get(word.text);
    if (knownWord) return knownWord;
    const wordAndKeys = {
      word: wordToken(this.index, organisationId, word),
      keys: hashKeys(this.index, organisationId, storedKeys(word)),
    };
    known.set(word.text, wordAndKeys);
    return wordAndKeys;
  }
}

const distinctWords = (words: readonly WordWithSound[]): WordWithSound[] => [
  ...new Map(words.map((word) => [word.text, word])).values(),
];
