import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Problem, readSession, type SessionView } from './api.js';
import { paletteOf } from './brand.js';
import { Flow } from './flow.js';
import { forget } from './keeping.js';
import { useDark, useExpiry, useFollowing } from './surroundings.js';
import {
  bestLanguage,
  LanguageContext,
  languages,
  textsOf,
  useTexts,
  type Language,
} from './texts/language.js';
import { Connection, TimeLeft, ValidUntil } from './parts/banners.js';
import { Icon } from './parts/icons.js';
import { Notice } from './parts/notice.js';
import { Privacy } from './parts/privacy.js';
import { QrCode } from './parts/qr-code.js';

const LANGUAGE_PLACE = 'verify-language';
const DEFAULT_WAIT_SECONDS = 30;

/** The page: reads the session and shows where it stands. */
export function App({ sessionId }: { readonly sessionId: string }): VNode {
  const [language, setLanguage] = useState(firstLanguage);
  const [view, setView] = useState<SessionView | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sent, setSent] = useState(false);
  const [handedOver, setHandedOver] = useState(false);
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

  const isDark = useDark();
  useEffect(() => {
    const { brand, onBrand, strong } = paletteOf(view?.branding.primaryColor, isDark);
    const { style } = document.documentElement;
    style.setProperty('--brand', brand);
    style.setProperty('--on-brand', onBrand);
    style.setProperty('--strong', strong);
  }, [view?.branding.primaryColor, isDark]);

  const over = sent || problem?.kind === 'EXPIRED' || problem?.kind === 'NOT_FOUND' || isOver(view);
  // Before it is painted: whoever sees that it is over may rely on nothing being kept.
  useLayoutEffect(() => {
    if (over) forget();
  }, [over]);

  useExpiry(over ? null : (view?.expiresAt ?? null), () => {
    void read();
  });

  useFollowing(over ? null : handedOver, read);

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
                // The number at the end, and the way back.
                void read();
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
        {flow && <Around view={flow} onHandOver={setHandedOver} />}
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
  const end = view && <End view={view} />;
  const quiet = !sent && view === null;
  if (sent || (problem === null && view?.status === 'PROCESSING')) {
    return (
      <Notice icon="check" quiet={quiet} {...notices.finished}>
        {end}
      </Notice>
    );
  }
  if (problem === null && view?.status === 'COMPLETED') {
    return (
      <Notice icon="check" quiet={quiet} {...notices.completed}>
        {end}
      </Notice>
    );
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

/** The number to name when asking for help, and the way back to who asked. */
function End({ view: { protocol, redirectUrl } }: { readonly view: SessionView }): VNode {
  const { end } = useTexts();
  return (
    <>
      {protocol !== undefined && (
        <p>
          {end.protocol}: <strong>{protocol}</strong>
        </p>
      )}
      {protocol !== undefined && redirectUrl !== undefined && (
        <a class="button primary" href={redirectUrl} rel="noreferrer">
          {end.back}
        </a>
      )}
    </>
  );
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
function Around({
  view,
  onHandOver,
}: {
  readonly view: SessionView;
  /** Whether the code for a phone is shown. */
  readonly onHandOver: (shown: boolean) => void;
}): VNode {
  const texts = useTexts();
  return (
    <>
      <Connection />
      {view.preview === true && (
        <p class="time-left" role="status">
          {texts.preview}
        </p>
      )}
      {view.testPerson && (
        <p class="time-left" role="status">
          {texts.testPerson(view.testPerson.name, view.testPerson.cpf)}
        </p>
      )}
      <TimeLeft expiresAt={view.expiresAt ?? null} />
      <footer>
        <p>
          <Icon name="lock" />
          <span>{texts.kept}</span>
        </p>
        <ValidUntil expiresAt={view.expiresAt ?? null} />
        {view.privacyNotice && <Privacy notice={view.privacyNotice} />}
        <details
          class="on-phone"
          onToggle={(event) => {
            onHandOver(event.currentTarget.open);
          }}
        >
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
