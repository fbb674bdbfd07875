import type { ReactElement } from 'react';
import { useNavigate } from '@tanstack/react-router';
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components';
import { signOut } from '../api/access.js';
import type { Me } from '../data/me.js';
import { densities, setDensity, useDensity } from '../texts/density.js';
import { languages, setLanguage, useLanguage, useTexts } from '../texts/language.js';
import { setTheme, themes, useTheme } from '../texts/theme.js';
import { word } from '../texts/words.js';
import { shellTexts } from './texts.js';

/** Who is signed in, how the console looks, and the ways out. */
export function AccountMenu({ me }: { me: Me }): ReactElement {
  const t = useTexts(shellTexts);
  const navigate = useNavigate();
  const theme = useTheme();
  const density = useDensity();
  const language = useLanguage();
  const shown = `${me.name} · ${me.roles.map((role) => word('role', role)).join(', ')}`;
  return (
    <MenuTrigger>
      <AriaButton className="button bare" aria-label={`${t.account}: ${shown}`}>
        <span className="wide">{shown}</span>
        <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover className="menu" placement="bottom end">
        <Menu aria-label={t.account} className="menu-list">
          <MenuSection
            aria-label={t.theme}
            selectionMode="single"
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const chosen = themes.find((one) => keys !== 'all' && keys.has(one));
              if (chosen) setTheme(chosen);
            }}
          >
            <Header>{t.theme}</Header>
            {themes.map((one) => (
              <MenuItem key={one} id={one}>
                {t.themes[one]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            aria-label={t.rows}
            selectionMode="single"
            selectedKeys={[density]}
            onSelectionChange={(keys) => {
              const chosen = densities.find((one) => keys !== 'all' && keys.has(one));
              if (chosen) setDensity(chosen);
            }}
          >
            <Header>{t.rows}</Header>
            {densities.map((one) => (
              <MenuItem key={one} id={one}>
                {t.densities[one]}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection
            aria-label={t.language}
            selectionMode="single"
            selectedKeys={[language]}
            onSelectionChange={(keys) => {
              const chosen = languages.find((one) => keys !== 'all' && keys.has(one));
              if (chosen) setLanguage(chosen);
            }}
          >
            <Header>{t.language}</Header>
            <MenuItem id="pt">Português</MenuItem>
            <MenuItem id="en">English</MenuItem>
          </MenuSection>
          <MenuSection aria-label={t.account}>
            <Header>{me.organisation.name}</Header>
            <MenuItem id="account" onAction={() => void navigate({ to: '/account' })}>
              {t.myAccount}
            </MenuItem>
            <MenuItem id="docs" href="/operator/docs">
              {t.apiDocs}
            </MenuItem>
            <MenuItem id="out" onAction={() => void signOut()}>
              {t.signOut}
            </MenuItem>
            <MenuItem id="everywhere" onAction={() => void signOut(true)}>
              {t.signOutEverywhere}
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
