import { readFileSync } from 'node:fs';
import path from 'node:path';
import { approvalsMarkdown } from './approvals-page.js';
import { asvsPage } from './asvs-page.js';
import { errorsMarkdown } from './errors-page.js';
import { modulesMarkdown } from './modules-page.js';
import { featureNumbers, ruleFieldsMarkdown, starterRulesetMarkdown } from './rules-pages.js';
import { scenariosMarkdown } from './scenarios-page.js';
import { settingsMarkdown } from './settings-page.js';
import { systemWorkMarkdown } from './system-work-page.js';
import { typologiesJson, typologiesMarkdown } from './typologies-page.js';

const NUMBERS = 'test/fixtures/stored/feature-numbers.json';

/** The files that are generated from the sources, by their path in the repository. */
export function generatedDocs(root: string): ReadonlyMap<string, string> {
  return new Map([
    ['docs/approvals.md', approvalsMarkdown()],
    ['docs/generated/asvs.md', asvsPage(root)],
    ['docs/generated/br-starter.md', starterRulesetMarkdown()],
    ['docs/generated/errors.md', errorsMarkdown()],
    ['docs/generated/modules.md', modulesMarkdown(path.join(root, 'src'))],
    ['docs/generated/rule-fields.md', ruleFieldsMarkdown()],
    ['docs/generated/sandbox.md', scenariosMarkdown()],
    ['docs/generated/settings.md', settingsMarkdown()],
    ['docs/generated/system-work.md', systemWorkMarkdown(path.join(root, 'src'))],
    ['docs/generated/typologies.json', typologiesJson()],
    ['docs/generated/typologies.md', typologiesMarkdown()],
    [NUMBERS, featureNumbers(readFileSync(path.join(root, NUMBERS), 'utf8'))],
  ]);
}
