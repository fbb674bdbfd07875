/**
 * The text field of a condition: facts complete themselves, and what the service finds wrong is underlined at its place.
 * Its styles are made while it runs, which the policy of the console allows in a shadow root only.
 */
import {
  autocompletion,
  startCompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { history, redo, undo } from '@codemirror/commands';
import { Compartment, EditorState, StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, type DecorationSet } from '@codemirror/view';
import { useEffect, useRef, type ReactElement } from 'react';

export interface Suggestion {
  readonly name: string;
  readonly type: string;
  readonly label: string;
}

export interface Fault {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

interface ConditionEditorProps {
  readonly label: string;

  readonly value: string;
  readonly readOnly: boolean;
  readonly suggestions: readonly Suggestion[];
  readonly faults: readonly Fault[];
  /** Brings the caret to a place; another object each time. */
  readonly goTo: Pick<Fault, 'start' | 'end'> | null;
  readonly onChange: (text: string) => void;
}

const underline = StateEffect.define<DecorationSet>();

/** The faults, which move along with what is typed before them. */
const underlined = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) =>
    effects.find((effect) => effect.is(underline))?.value ?? marks.map(changes),
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  '&': { border: '1px solid var(--line)', borderRadius: '7px', background: 'var(--panel)' },
  // The editor says that it is focused some moments later, and has an outline of its own for it.
  '&:focus-within, &.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.92rem', lineHeight: '1.5', minHeight: '9rem' },
  '.cm-content': { padding: '0.5rem 0.3rem', caretColor: 'var(--ink)', color: 'var(--ink)' },
  '.cm-tooltip': {
    border: '1px solid var(--hairline)',
    borderRadius: '7px',
    background: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--soft)', color: 'var(--ink)' },
  '.cm-completionDetail, .cm-completionInfo': { color: 'var(--quiet)', fontStyle: 'normal' },
  '.fault': { textDecoration: 'underline wavy var(--bad)' },
});

export function ConditionEditor(props: ConditionEditorProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const now = useRef(props);
  const switches = useRef(new Compartment());
  useEffect(() => {
    now.current = props;
  });

  useEffect(() => {
    const place = host.current;
    if (!place) return;
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const complete = (context: CompletionContext): CompletionResult | null => {
      const begun = context.matchBefore(/[A-Za-z][\w.]*/);
      if (!begun && !context.explicit) return null;
      return {
        from: begun?.from ?? context.pos,
        options: now.current.suggestions.map(({ name, type, label }) => ({
          label: name,
          detail: type,
          info: label,
        })),
        validFor: /^[\w.]*$/,
      };
    };
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: now.current.value,
        extensions: [
          history(),
          autocompletion({ override: [complete], icons: false }),
          // Tab leaves the field, as it does everywhere else: nobody is caught in it.
          keymap.of([
            { key: 'Ctrl-Space', run: startCompletion },
            { key: 'Mod-z', run: undo, preventDefault: true },
            { key: 'Mod-Shift-z', run: redo, preventDefault: true },
            { key: 'Mod-y', run: redo, preventDefault: true },
          ]),
          EditorView.lineWrapping,
          theme,
          underlined,
          switches.current.of(switched(now.current)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) now.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, []);

  const { value, readOnly, label, faults, goTo } = props;
  useEffect(() => {
    const made = view.current;
    if (made && made.state.doc.toString() !== value) {
      made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: value } });
    }
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({
      effects: switches.current.reconfigure(switched({ readOnly, label })),
    });
  }, [readOnly, label]);
  const marks = JSON.stringify(faults);
  useEffect(() => {
    const made = view.current;
    if (!made) return;
    const { length } = made.state.doc;
    const ranges = (JSON.parse(marks) as Fault[]).flatMap(({ start, end, message }) => {
      const from = Math.min(start, Math.max(0, length - 1));
      const to = Math.min(Math.max(end, from + 1), length);
      return from < to
        ? [Decoration.mark({ class: 'fault', attributes: { title: message } }).range(from, to)]
        : [];
    });
    made.dispatch({ effects: underline.of(Decoration.set(ranges, true)) });
  }, [marks]);
  useEffect(() => {
    const made = view.current;
    if (!made || !goTo) return;
    const { length } = made.state.doc;
    made.dispatch({
      selection: { anchor: Math.min(goTo.start, length), head: Math.min(goTo.end, length) },
      scrollIntoView: true,
    });
    made.focus();
  }, [goTo]);

  return <div ref={host} className="condition-editor" />;
}

const switched = ({ readOnly, label }: Pick<ConditionEditorProps, 'readOnly' | 'label'>): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-multiline': 'true' }),
];
