import type { VNode } from 'preact';
import type { SessionView } from '../api.js';
import { useTexts } from '../texts/language.js';
import { Icon } from './icons.js';

/** Tells people what becomes of their data, in the version of the notice that the session keeps. */
export function Privacy({ notice }: { readonly notice: NonNullable<SessionView['privacyNotice']> }): VNode {
  const { privacy } = useTexts();
  const { controller, purposes, retention, biometrics, officer, helpContact } = notice;
  const parts: readonly (readonly [string, string | null])[] = [
    [privacy.controller, `${controller.name}, ${controller.document}`],
    [privacy.purposes, purposes.join(' ')],
    [privacy.retention, retention],
    [privacy.biometrics, biometrics],
    [privacy.officer, `${officer.name}, ${officer.contact}`],
    [privacy.help, helpContact],
  ];
  return (
    <details class="privacy">
      <summary>
        <Icon name="lock" />
        {privacy.title}
      </summary>
      <dl>
        {parts.map(
          ([title, text]) =>
            text !== null && (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
    </details>
  );
}
