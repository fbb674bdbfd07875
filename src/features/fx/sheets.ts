import { guardRows, sheet } from '../../platform/sheets/index.js';

interface ImportRow {
  readonly source: string;
  readonly rateCount: number;
  readonly contentHash: Buffer;
}

/** An import of exchange rates. */
const fxImport = sheet({
  type: 'fx_import',
  id: 'fxi',
  isPrunable: true,
  actions: ['fx.rates_imported'],
  order: { first: ['fx.rates_imported'], follows: {} },
  last: () => ['fx.rates_imported'],
  says: ({ source, rateCount, contentHash }: ImportRow) => ({
    source,
    rateCount,
    contentHash: contentHash.toString('hex'),
  }),
  acts: {
    'fx.import': {
      title: { en: 'Publish exchange rates', pt: 'Publicar taxas de câmbio' },
      effect: {
        en: 'Exchange rates count from now on; those that stood for the same days stay beside them.',
        pt: 'Taxas de câmbio valem a partir de agora; as dos mesmos dias ficam ao lado delas.',
      },
      undo: { en: 'Ask for the former rates.', pt: 'Pedir as taxas anteriores.' },
      ask: 'settings:manage',
      approve: 'settings:manage',
      routes: ['POST /operator/fx/rates'],
      guards: [
        guardRows('fx_imports', {
          on: 'INSERT',
          orCommandLine: true,
          when: 'true',
          values: { source: 'source', content_hash: 'contentHash' },
          request: { single_control: 'single_control' },
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [fxImport] as const;
