import { guardRows, sheet } from '../../platform/sheets/index.js';

interface ImportRow {
  readonly source: string;
  readonly rateCount: number;
  readonly contentHash: Buffer;
}

// A rate in a request is a text such as `2026-11-19 EUR 6.2345`.
const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const nameOf = (rate: string): string => rate.split(' ').slice(0, 2).reverse().join(', ');
const valueOf = (rate: string | undefined): string | null => rate?.split(' ')[2] ?? null;

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
      lines: (before, after) => {
        const storedRates = new Map(textsIn(before['rates']).map((rate) => [nameOf(rate), rate]));
        return textsIn(after['rates']).map((rate) => ({
          what: { en: `Rate of ${nameOf(rate)}`, pt: `Taxa de ${nameOf(rate)}` },
          before: valueOf(storedRates.get(nameOf(rate))),
          after: valueOf(rate),
        }));
      },
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
