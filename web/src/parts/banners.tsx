import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../texts/language.js';
import { Icon } from './icons.js';

/** Says that the connection is lost, and that it is back. */
export function Connection(): VNode {
  const texts = useTexts();
  const [state, setState] = useState<'ONLINE' | 'OFFLINE' | 'BACK'>(navigator.onLine ? 'ONLINE' : 'OFFLINE');
  useEffect(() => {
    const on = (): void => {
      setState('BACK');
    };
    const off = (): void => {
      setState('OFFLINE');
    };
    window.addEventListener('online', on);
    window.addEventListener('offline', off);
    return () => {
      window.removeEventListener('online', on);
      window.removeEventListener('offline', off);
    };
  }, []);
  return (
    <div role="status" class={`connection ${state.toLowerCase()}`}>
      {state === 'OFFLINE' ? texts.offline.banner : state === 'BACK' ? texts.offline.back : ''}
    </div>
  );
}

const WARN_MINUTES = 5;

/** Says in time that the link is about to run out (WCAG 2.2, 2.2.1). */
export function TimeLeft({ expiresAt }: { readonly expiresAt: string | null }): VNode {
  const texts = useTexts();
  const minutesLeft = (): number =>
    expiresAt === null ? Infinity : Math.floor((Date.parse(expiresAt) - Date.now()) / 60_000);
  const [minutes, setMinutes] = useState(minutesLeft);
  useEffect(() => {
    const timer = setInterval(() => {
      setMinutes(minutesLeft());
    }, 15_000);
    return () => {
      clearInterval(timer);
    };
  }, [expiresAt]);
  return (
    <div role="status" class="time-left">
      {minutes <= WARN_MINUTES && minutes >= 0 ? texts.timeLeft(minutes) : ''}
    </div>
  );
}

/** Says until when the link is good. */
export function ValidUntil({ expiresAt }: { readonly expiresAt: string | null }): VNode | null {
  const texts = useTexts();
  if (expiresAt === null || Number.isNaN(Date.parse(expiresAt))) return null;
  const when = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return (
    <p>
      <Icon name="clock" />
      <span>{texts.validUntil(when.format(new Date(expiresAt)))}</span>
    </p>
  );
}
