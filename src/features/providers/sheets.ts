import { guardRows, sheet } from '../../platform/sheets/index.js';

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A provider of checks. */
const provider = sheet({
  type: 'provider',
  id: 'prv',
  actions: ['provider.published', 'provider.disabled', 'provider.secret_shown'],
  acts: {
    'provider.publish': {
      title: { en: 'Publish a provider', pt: 'Publicar um provedor' },
      effect: {
        en: 'A provider is asked about sessions, or is asked elsewhere or otherwise.',
        pt: 'Um provedor passa a ser consultado sobre sessões, em outro endereço ou de outro modo.',
      },
      undo: {
        en: 'Leave it alone: one person; or ask for the former version.',
        pt: 'Deixá-lo de lado: uma pessoa; ou pedir a versão anterior.',
      },
      ask: 'flows:manage',
      approve: 'flows:manage',
      lines: (before, after) => [
        { what: { en: 'Provider', pt: 'Provedor' }, before: null, after: textOf(after['name']) },
        {
          what: { en: 'Address', pt: 'Endereço' },
          before: textOf(before['url']),
          after: textOf(after['url']),
        },
      ],
      routes: ['POST /operator/providers'],
      guards: [
        guardRows('check_providers', {
          on: 'INSERT',
          orCommandLine: true,
          when: 'NEW.enabled',
          values: { name: 'name', version: 'version', url: 'url', content_hash: 'contentHash' },
          request: { single_control: 'single_control' },
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [provider] as const;
