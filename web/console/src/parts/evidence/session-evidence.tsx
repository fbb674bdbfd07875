import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Asked } from '../answers.js';
import { Button, Facts, Pill } from '../controls.js';
import { stateTone } from './looked.js';
import { Viewer } from './file-viewer.js';
import { reasonWords, sourceWords } from './reason-words.js';
import { texts, type File } from './session-texts.js';

export const useEvidence = (reference: string): UseQueryResult<Schemas['SessionEvidenceView']> =>
  useQuery({
    queryKey: ['session', reference, 'evidence'],
    queryFn: () =>
      dataOf(api.GET('/operator/kyc-sessions/{id}/evidence', { params: { path: { id: reference } } })),
  });

/** Shows what a person answered and sent in a verification session, and what the checks found or could not. */
export function SessionEvidence({ reference }: { reference: string }): ReactElement {
  const evidence = useEvidence(reference);
  return <Asked query={evidence}>{(data) => <Evidence evidence={data} />}</Asked>;
}

/** The same where the evidence is known already. */
export function Evidence({
  evidence: { status, erased, checks, steps },
}: {
  evidence: Schemas['SessionEvidenceView'];
}): ReactElement {
  const t = useTexts(texts);
  const [shown, show] = useState<File | null>(null);
  return (
    <div className="stack">
      <p>
        <Pill>{word('sessionStatus', status)}</Pill>
      </p>
      {erased && <p className="notice warn">{t.erased}</p>}
      {checks.length > 0 && <h3>{t.checks}</h3>}
      <table className="components">
        <tbody>
          {checks.map(({ name, state, reason, required, source }) => (
            <tr key={name}>
              <th scope="row">{word('component', name)}</th>
              <td>
                <Pill tone={stateTone(state)}>{word('evidence', state)}</Pill>{' '}
                {required && <Pill>{t.required}</Pill>}
              </td>
              <td className="quiet small">
                {[reason && reasonWords(reason), source && sourceWords(source)].filter(Boolean).join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {steps.map(({ stepId, title, answers, files, rejected }) => (
        <div key={stepId} className="stack">
          <h3>{title}</h3>
          {answers.length > 0 && (
            <Facts
              items={answers.map(({ label, text, masked }) => [
                label,
                text === null ? (
                  <span className="quiet">{t.notAnswered}</span>
                ) : (
                  <>
                    {text} {masked && <Pill>{t.masked}</Pill>}
                  </>
                ),
              ])}
            />
          )}
          <div className="row">
            {files.map((file) => (
              <Button
                key={file.id}
                onClick={() => {
                  show(file);
                }}
              >
                {t.kinds[file.kind]}
                {file.side !== null && `, ${t.sides[file.side]}`}
                {file.quality !== null && file.quality.sharpness < 100 && (
                  <Pill tone="warn">{t.blurred}</Pill>
                )}
              </Button>
            ))}
            {rejected.length > 0 && <Pill tone="warn">{t.rejected(rejected.length)}</Pill>}
          </div>
        </div>
      ))}
      {shown && (
        <Viewer
          file={shown}
          onClose={() => {
            show(null);
          }}
        />
      )}
    </div>
  );
}
