import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect, useState, useSyncExternalStore, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nProvider } from 'react-aria-components';
import { currentAccess, onAccess, resume } from './api/access.js';
import { queries } from './data/calls/query.js';
import { Failure, Skeleton } from './parts/answers.js';
import { Toasts } from './parts/toasts.js';
import { router } from './router.js';
import { SignIn } from './shell/sign-in.js';
import { localeOf, useLanguage } from './texts/language.js';

function Console(): ReactElement {
  const access = useSyncExternalStore(onAccess, currentAccess);
  const language = useLanguage();
  return (
    <I18nProvider locale={localeOf(language)}>
      {access.state === 'STARTING' && <Starting />}
      {access.state === 'OUT' && <SignIn reason={access.reason} />}
      {access.state === 'IN' && (
        // Nothing that was drawn for somebody stays for whoever signs in after them.
        <QueryClientProvider key={access.operatorId} client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      )}
      <Toasts />
    </I18nProvider>
  );
}

function Starting(): ReactElement {
  const [failure, setFailure] = useState<unknown>(null);
  const start = (): void => {
    setFailure(null);
    resume().catch(setFailure);
  };
  useEffect(start, []);
  return (
    <main className="sign-in">
      {failure === null ? <Skeleton /> : <Failure error={failure} retry={start} />}
    </main>
  );
}

const place = document.getElementById('console');
if (place) {
  createRoot(place).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
}
