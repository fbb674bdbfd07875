import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Problem, readSession, type SessionView } from './api.js';
import { paletteOf } from './brand.js';
import { Flow } from './flow.js';
import { forget } from './keeping.js';
import {
  bestLanguage,
  LanguageContext,
  languages,
  textsOf,
  useTexts,
  type Language,
} from './texts/language.js';
import { Icon } from './parts/icons.js';
import { Notice } from './parts/notice.js';
import { QrCode } from './parts/qr-code.js';

const LANGUAGE_PLACE = 'verify-language';
const DEFAULT_WAIT_SECONDS = 30;

/** The page: reads the session and shows where it stands. */
export function App({ sessionId }: { readonly sessionId: string }): VNode {
  const [language, setLanguage] = useState(firstLanguage);
  const [view, setView] = useState<SessionView | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sent, setSent] = useState(false);
  const texts = textsOf[language];

  const read = async (): Promise<void> => {
    try {
      const next = await readSession(sessionId, language);
      setView(next);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // With the steps already here, a lost connection changes nothing.
      if (view === null || error.kind === 'EXPIRED' || error.kind === 'NOT_FOUND') setProblem(error);
    }
  };

  useEffect(() => {
    document.documentElement.lang = language;
    void read();
  }, [language]);

  useEffect(() => {
    const { brand, onBrand, strong } = paletteOf(view?.branding.primaryColor);
    const { style } = document.documentElement;
    style.setProperty('--brand', brand);
    style.setProperty('--on-brand', onBrand);
    style.setProperty('--strong', strong);
  }, [view?.branding.primaryColor]);

  const over = sent || problem?.kind === 'EXPIRED' || problem?.kind === 'NOT_FOUND' || isOver(view);
  // Before it is painted: whoever sees that it is over may rely on nothing being kept.
  useLayoutEffect(() => {
    if (over) forget();
  }, [over]);

  useExpiry(over ? null : (view?.expiresAt ?? null), () => {
    void read();
  });

  const chooseLanguage = (chosen: Language): void => {
    try {
      sessionStorage.setItem(LANGUAGE_PLACE, chosen);
    } catch {
      // A browser that keeps nothing: the choice holds until the page is left.
    }
    setLanguage(chosen);
  };

  const flow = view !== null && !over && problem === null ? view : null;
  return (
    <LanguageContext.Provider value={{ language, texts }}>
      <Header view={view} language={language} onLanguage={chooseLanguage} />
      <main>
        <div class="card">
          {flow ? (
            <Flow
              sessionId={sessionId}
              view={flow}
              onSent={() => {
                setSent(true);
              }}
              onOver={(reason) => {
                if (reason.kind === 'CONFLICT') setSent(true);
                else setProblem(reason);
              }}
              onRefresh={read}
              onView={setView}
            />
          ) : (
            <Standing view={view} problem={problem} sent={sent} onAgain={read} />
          )}
        </div>
        {flow && <Around view={flow} />}
      </main>
    </LanguageContext.Provider>
  );
}

const isOver = (view: SessionView | null): boolean => view !== null && view.status !== 'PENDING';

function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get('lang');
  let kept: string | null = null;
  try {
    kept = sessionStorage.getItem(LANGUAGE_PLACE);
  } catch {
    // As above.
  }
  return bestLanguage([kept, asked, ...navigator.languages].filter((tag) => tag !== null));
}

/** Calls back when the link runs out, by this device's clock; the service is asked whether that is so. */
function useExpiry(expiresAt: string | null, onExpiry: () => void): void {
  useEffect(() => {
    const left = expiresAt === null ? Number.NaN : Date.parse(expiresAt) - Date.now();
    // Beyond about 24 days a timer would fire at once.
    if (Number.isNaN(left) || left > 2 ** 31 - 1) return;
    const timer = setTimeout(onExpiry, Math.max(left, 0) + 1_000);
    return () => {
      clearTimeout(timer);
    };
  }, [expiresAt]);
}

function Header({
  view,
  language,
  onLanguage,
}: {
  readonly view: SessionView | null;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
}): VNode {
  const texts = useTexts();
  const name = [view?.branding.name, view?.flowName].find(Boolean) ?? texts.pageTitle;
  const logo = ownLogo(view?.branding.logoUrl ?? null);
  return (
    <header>
      <div class="inner">
        {logo === null ? <p class="company">{name}</p> : <img class="logo" src={logo} alt={name} />}
        <div class="language">
          <label for="language" class="unseen">
            {texts.language}
          </label>
          <select
            id="language"
            value={language}
            onChange={(event) => {
              onLanguage(bestLanguage([event.currentTarget.value]));
            }}
          >
            {languages.map((one) => (
              <option key={one} value={one} lang={one}>
                {textsOf[one].languageName}
              </option>
            ))}
          </select>
        </div>
      </div>
    </header>
  );
}

/** A logo that this service serves itself; one from elsewhere would tell its owner who is verified, and when. */
function ownLogo(url: string | null): string | null {
  if (url === null) return null;
  try {
    const logo = new URL(url, location.href);
    return logo.origin === location.origin ? logo.href : null;
  } catch {
    return null;
  }
}

/** Where things stand, when there is nothing to fill in. */
function Standing({
  view,
  problem,
  sent,
  onAgain,
}: {
  readonly view: SessionView | null;
  readonly problem: Problem | null;
  readonly sent: boolean;
  readonly onAgain: () => Promise<void>;
}): VNode {
  const { notices, loading } = useTexts();
  const quiet = !sent && view === null;
  if (sent || (problem === null && view?.status === 'PROCESSING')) {
    return <Notice icon="check" quiet={quiet} {...notices.finished} />;
  }
  if (problem === null && view?.status === 'COMPLETED') {
    return <Notice icon="check" quiet={quiet} {...notices.completed} />;
  }
  if (problem === null && view?.status === 'EXPIRED') {
    return <Notice icon="clock" quiet={quiet} {...notices.expired} />;
  }
  if (problem === null) {
    return (
      <p class="loading" role="status">
        {loading}
      </p>
    );
  }
  switch (problem.kind) {
    case 'EXPIRED':
      return <Notice icon="clock" quiet={quiet} {...notices.expired} />;
    case 'NOT_FOUND':
    case 'REFUSED':
    case 'CONFLICT':
      return <Notice icon="search" quiet={quiet} {...notices.notFound} />;
    case 'LIMITED':
      return <Limited seconds={problem.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS} onAgain={onAgain} />;
    case 'OFFLINE':
      return (
        <Notice icon="cloud" quiet={quiet} {...notices.offline}>
          <Again onAgain={onAgain} />
        </Notice>
      );
    case 'UNAVAILABLE':
      return (
        <Notice icon="cloud" quiet={quiet} {...notices.unavailable}>
          <Again onAgain={onAgain} />
        </Notice>
      );
    default:
      return problem.kind satisfies never;
  }
}

function Limited({
  seconds,
  onAgain,
}: {
  readonly seconds: number;
  readonly onAgain: () => Promise<void>;
}): VNode {
  const { notices } = useTexts();
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) {
      void onAgain();
      return;
    }
    const timer = setTimeout(() => {
      setLeft(left - 1);
    }, 1_000);
    return () => {
      clearTimeout(timer);
    };
  }, [left]);
  return (
    <Notice icon="clock" quiet title={notices.limited.title} body={notices.limited.body(Math.max(left, 0))} />
  );
}

function Again({ onAgain }: { readonly onAgain: () => Promise<void> }): VNode {
  const texts = useTexts();
  // Nobody has to press anything when the connection is back.
  useEffect(() => {
    const again = (): void => {
      void onAgain();
    };
    window.addEventListener('online', again);
    return () => {
      window.removeEventListener('online', again);
    };
  }, []);
  return (
    <button
      type="button"
      class="primary"
      onClick={() => {
        void onAgain();
      }}
    >
      {texts.tryAgain}
    </button>
  );
}

/** Draws the part below the steps: where the answers are, until when, and the way to a phone. */
function Around({ view }: { readonly view: SessionView }): VNode {
  const texts = useTexts();
  return (
    <>
      <Connection />
      <TimeLeft expiresAt={view.expiresAt ?? null} />
      <footer>
        <p>
          <Icon name="lock" />
          <span>{texts.kept}</span>
        </p>
        <ValidUntil expiresAt={view.expiresAt ?? null} />
        <details class="on-phone">
          <summary>
            <Icon name="phone" />
            {texts.phone.title}
          </summary>
          <p>{texts.phone.body}</p>
          <QrCode text={location.origin + location.pathname} label={texts.phone.code} />
        </details>
      </footer>
    </>
  );
}

function Connection(): VNode {
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
function TimeLeft({ expiresAt }: { readonly expiresAt: string | null }): VNode {
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

function ValidUntil({ expiresAt }: { readonly expiresAt: string | null }): VNode | null {
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
