import type { VNode } from 'preact';
import type { Field } from '../api.js';
import { fieldFault, groupItems, tidied, type GroupItem } from '../answers.js';
import { Labelled } from '../parts/field.js';
import { fieldFaultText } from '../texts/fault-texts.js';
import { useTexts } from '../texts/language.js';
import { Input, localDay } from './data-form-step.js';
import { StepForm } from './step-form.js';
import type { StepProps } from './step-props.js';

/** The same fields for each of several people or things. */
export function GroupStep(props: StepProps): VNode {
  const texts = useTexts();
  const { step } = props;
  const { title, min, max, fields } = step.items ?? { title: '', min: 0, max: 1, fields: [] };
  const given = groupItems(props.drafts[step.id]);
  const items = given.length > 0 ? given : [{}];
  const today = localDay(new Date());
  const faultOf = (field: Field, item: GroupItem): string | null => {
    const code = fieldFault(field, item[field.id], today);
    return code === null ? null : fieldFaultText(texts, field, code, item[field.id]);
  };
  const faults = items.flatMap((item, i) =>
    fields.flatMap((field) => {
      const text = faultOf(field, item);
      return text === null
        ? []
        : [{ at: inputId(field, i), text: `${title} ${i + 1}, ${field.label}: ${text}` }];
    }),
  );
  const set = (next: readonly GroupItem[]): void => {
    props.onDraft(step.id, next);
  };
  const put = (i: number, field: Field, text: string): void => {
    set(items.map((item, at) => (at === i ? { ...item, [field.id]: text } : item)));
  };
  return (
    <StepForm props={props} faults={faults} initialAttempt={props.refused[step.id] === undefined ? 0 : 1}>
      {(attempted) => (
        <>
          {items.map((item, i) => (
            <fieldset key={i} class="field">
              <legend>
                {title} {i + 1}
              </legend>
              {fields.map((field) => (
                <Labelled
                  key={field.id}
                  id={inputId(field, i)}
                  label={field.label}
                  hint={field.help}
                  fault={attempted ? faultOf(field, item) : null}
                  optional={!field.required}
                >
                  {(joined) => (
                    <Input
                      joined={joined}
                      field={field}
                      text={item[field.id] ?? ''}
                      onText={(text) => {
                        put(i, field, text);
                      }}
                      onLeave={() => {
                        put(i, field, tidied(field, item[field.id] ?? ''));
                      }}
                    />
                  )}
                </Labelled>
              ))}
              {items.length > Math.max(1, min) && (
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    set(items.filter((_, at) => at !== i));
                  }}
                >
                  {texts.group.remove(title, i + 1)}
                </button>
              )}
            </fieldset>
          ))}
          {items.length < max && (
            <button
              type="button"
              onClick={() => {
                set([...items, {}]);
              }}
            >
              {texts.group.add(title)}
            </button>
          )}
        </>
      )}
    </StepForm>
  );
}

const inputId = ({ id }: Field, i: number): string => `input-${i}-${id}`;
