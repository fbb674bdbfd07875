import { readFileSync } from 'node:fs';
import path from 'node:path';
import { approvalsMarkdown } from './approvals-page.js';
import { errorsMarkdown } from '../../errors-page.js';
import { modulesMarkdown } from './modules-page.js';
import { featureNumbers, ruleFieldsMarkdown, starterRulesetMarkdown } from './rules-pages.js';
import { settingsMarkdown } from './settings-page.js';
import { systemWorkMarkdown } from './system-work-page.js';

const NUMBERS = 'test/fixtures/stored/feature-numbers.json';

/** The files that are generated from the sources, by their path in the repository. */
export function generatedDocs(root: string): ReadonlyMap<string, string> {
  return new Map([
    ['docs/approvals.md', approvalsMarkdown()],
    ['docs/br-starter.md', starterRulesetMarkdown()],
    ['docs/errors.md', errorsMarkdown()],
    ['docs/modules.md', modulesMarkdown(path.join(root, 'src'))],
    ['docs/rule-fields.md', ruleFieldsMarkdown()],
    ['docs/settings.md', settingsMarkdown()],
    ['docs/system-work.md', systemWorkMarkdown(path.join(root, 'src'))],
    [NUMBERS, featureNumbers(readFileSync(path.join(root, NUMBERS), 'utf8'))],
  ]);
}
