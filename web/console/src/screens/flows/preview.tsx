import type { ReactElement } from 'react';
import { flowsTexts } from './texts.js';
import { useTexts } from '../../texts/language.js';
import { textIn, type Input, type Step, type Tongue } from './data.js';

/** A step as a phone shows it. A drawing and not the page: nothing in it can be pressed, and no frame is needed. */
export function Preview({
  step,
  at,
  of,
  tongue,
}: {
  step: Step;
  at: number;
  of: number;
  tongue: Tongue;
}): ReactElement {
  const t = useTexts(flowsTexts);
  return (
    <aside className="flow-preview stack" aria-label={t.preview}>
      <p className="quiet small">{t.previewNote}</p>
      <div className="phone" lang={tongue} role="group" aria-label={t.previewNote} tabIndex={0}>
        <p className="small phone-quiet">{t.progress(at, of)}</p>
        <div className="phone-bar">
          <span style={{ width: `${(at / of) * 100}%` }} />
        </div>
        <p className="phone-title">{textIn(step.title, tongue) || '…'}</p>
        {step.text !== undefined && <p className="phone-text">{textIn(step.text, tongue)}</p>}
        {step.type === 'CONSENT' && <p>☐ {t.agree}</p>}
        {step.fields?.map((field, index) => (
          <Drawn key={index} input={field} tongue={tongue} />
        ))}
        {step.questions?.map((question, index) => (
          <Drawn key={index} input={question} tongue={tongue} />
        ))}
        {step.acceptedDocuments?.map(({ type, label }, index) => (
          <p key={index} className="phone-box">
            {textIn(label, tongue) || type}
          </p>
        ))}
        {(step.type === 'SELFIE' || step.acceptedDocuments !== undefined) && (
          <>
            <div className={step.type === 'SELFIE' ? 'phone-camera round' : 'phone-camera'} />
            <p className="phone-button">{t.camera}</p>
            <p className="phone-quiet small">{t.choose}</p>
          </>
        )}
        <p className="phone-button main">{t.next}</p>
      </div>
    </aside>
  );
}

function Drawn({ input, tongue }: { input: Input; tongue: Tongue }): ReactElement {
  const t = useTexts(flowsTexts);
  const options =
    input.type === 'BOOLEAN' ? [t.yes, t.no] : input.options?.map(({ label }) => textIn(label, tongue));
  return (
    <div className="phone-field">
      <p className="small">
        {textIn(input.label, tongue) || input.id}
        {!input.required && <span className="phone-quiet"> ({t.optional})</span>}
      </p>
      {options === undefined ? (
        <p className="phone-box">&nbsp;</p>
      ) : (
        options.map((one, at) => (
          <p key={at} className="phone-box">
            ○ {one}
          </p>
        ))
      )}
    </div>
  );
}
