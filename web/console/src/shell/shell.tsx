import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState, useSyncExternalStore, type ReactElement } from 'react';
import { isReachable, onReachable } from '../api/reach.js';
import { countText, useCounts } from '../data/counts.js';
import { useMay, useMe } from '../data/me.js';
import { followChanges, type Liveness } from '../data/calls/changes.js';
import { Asked, Skeleton } from '../parts/answers.js';
import { Button } from '../parts/controls.js';
import { useAllShortcuts, useShortcuts } from '../parts/shortcuts.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/language.js';
import { AccountMenu } from './account-menu.js';
import { KeysDialog } from './keys-dialog.js';
import { places, type Place } from './navigation.js';
import { Palette } from './palette.js';
import { Seal } from './seal.js';
import { shellTexts } from './texts.js';

/** The frame of every screen: the rail by job, the palette, the seal of the trail, and the keys. */
export function Shell(): ReactElement {
  const me = useMe();
  return <Asked query={me}>{() => <Signed />}</Asked>;
}

function Signed(): ReactElement | null {
  const t = useTexts(shellTexts);
  const c = useTexts(common);
  const { data: me } = useMe();
  const may = useMay();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [shown, setShown] = useState<'PALETTE' | 'KEYS' | null>(null);
  const [railOpen, setRailOpen] = useState(false);
  const screen = useRef<HTMLElement>(null);
  const mine = places.filter(({ permission }) => permission === null || may(permission) !== 'NO');

  useShortcuts([
    {
      keys: 'Ctrl K',
      label: t.command,
      run: () => {
        setShown('PALETTE');
      },
    },
    {
      keys: '/',
      label: t.command,
      run: () => {
        setShown('PALETTE');
      },
    },
    {
      keys: '?',
      label: t.keys,
      run: () => {
        setShown('KEYS');
      },
    },
    ...mine.map(({ name, to, key }) => ({
      keys: `G ${key}`,
      label: t.goTo(t.screens[name] ?? name),
      run: () => void navigate({ to }),
    })),
  ]);

  const reachable = useSyncExternalStore(onReachable, isReachable);
  const [liveness, setLiveness] = useState<Liveness>('ASKING');
  useEffect(() => followChanges(setLiveness), []);
  // A new screen is read from its beginning.
  const first = useRef(true);
  useEffect(() => {
    setRailOpen(false);
    if (first.current) first.current = false;
    else screen.current?.focus();
  }, [pathname]);

  if (!me) return null;
  return (
    <div className="app">
      <a className="skip" href="#screen">
        {c.skip}
      </a>
      <nav id="rail" className={railOpen ? 'rail open' : 'rail'} aria-label={t.main}>
        <p className="logo">{t.product}</p>
        {(['work', 'records', 'proofs', 'configure', 'develop'] as const).map((group) => (
          <RailGroup key={group} title={t[group]} places={mine.filter((one) => one.group === group)} />
        ))}
      </nav>
      <header className="top">
        <Button
          look="bare"
          className="menu-button"
          aria-expanded={railOpen}
          aria-controls="rail"
          onClick={() => {
            setRailOpen(!railOpen);
          }}
        >
          {t.menu}
        </Button>
        <Button
          className="search"
          onClick={() => {
            setShown('PALETTE');
          }}
        >
          <span>{t.command}</span>
          <kbd aria-hidden="true">Ctrl K</kbd>
        </Button>
        <span className="gap" />
        <span
          className={liveness === 'LIVE' ? 'live on' : 'live'}
          title={t.liveness[liveness]}
          role="img"
          aria-label={t.liveness[liveness]}
        />
        <span className="wide">{may('audit:read') === 'YES' && <Seal />}</span>
        <AccountMenu me={me} />
      </header>
      <main id="screen" className="screen" tabIndex={-1} ref={screen}>
        {!me.strong && (
          <p className="banner">
            {t.notStrong}{' '}
            {!me.totpEnrolled && me.passkeys === 0 && (
              <Link to="/account" search={{ enrol: true }}>
                {t.enrol}
              </Link>
            )}
          </p>
        )}
        {!reachable && (
          <p className="banner" role="alert">
            {t.lost}
          </p>
        )}
        {(liveness === 'REPLACED' || liveness === 'OVERLOADED') && (
          <p className="banner" role="status">
            {t.liveness[liveness]}
          </p>
        )}
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <KeyBar
        onAll={() => {
          setShown('KEYS');
        }}
      />
      {shown === 'PALETTE' && (
        <Palette
          onClose={() => {
            setShown(null);
          }}
        />
      )}
      {shown === 'KEYS' && (
        <KeysDialog
          onClose={() => {
            setShown(null);
          }}
        />
      )}
    </div>
  );
}

function RailGroup({
  title,
  places: inside,
}: {
  title: string;
  places: readonly Place[];
}): ReactElement | null {
  const t = useTexts(shellTexts);
  const { data: counts } = useCounts();
  if (inside.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {inside.map(({ name, to, count }) => {
          const waiting = count === undefined ? null : countText(counts, count);
          return (
            <li key={name}>
              <Link to={to} activeOptions={{ exact: to === '/' }}>
                {t.screens[name] ?? name}
                {waiting !== null && (
                  <span className="count">
                    {waiting} <span className="hidden">{t.waiting}</span>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function KeyBar({ onAll }: { onAll: () => void }): ReactElement {
  const t = useTexts(shellTexts);
  const shown = useAllShortcuts()
    .toReversed()
    .flat()
    .filter(({ footer }) => footer);
  return (
    <footer className="foot">
      {shown.map(({ keys, label }) => (
        <span key={keys}>
          <kbd>{keys}</kbd> {label}
        </span>
      ))}
      <button type="button" onClick={onAll}>
        <kbd>?</kbd> {t.allKeys}
      </button>
    </footer>
  );
}
