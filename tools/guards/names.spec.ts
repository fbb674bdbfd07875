import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');
const WORDS = new Set(
  readFileSync(path.join(root, 'tools/guards/name-words.txt'), 'utf8')
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words of a dialect that names had once: a pronoun or a participle in the place of a noun, a verb that says nothing. */
const GIVEN_UP =
  `asker beginnings crew fitting gone handed harm judgement occasion reincarnation roster said sighting
  strangers told wish`.split(/\s+/);

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/)
    .filter((word) => word !== '');

const isOpen = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false);

/** Exported classes, types and functions, and the methods of classes that others can call. */
function namesIn(file: string, text: string): string[] {
  const exported = ts
    .createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    .statements.filter((statement) => isOpen(statement, ts.SyntaxKind.ExportKeyword));
  return exported.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
        initializer && ts.isArrowFunction(initializer) ? [name.getText()] : [],
      );
    }
    if (ts.isClassDeclaration(statement)) {
      const methods = statement.members.filter(
        (member) => ts.isMethodDeclaration(member) && !isOpen(member, ts.SyntaxKind.PrivateKeyword),
      );
      return [statement, ...methods].flatMap(({ name }) =>
        name && ts.isIdentifier(name) ? [name.text] : [],
      );
    }
    const isNamed =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isFunctionDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}

const unknownIn = (names: readonly string[]): string[] =>
  names.flatMap((name) =>
    wordsOf(name)
      .filter((word) => !WORDS.has(word))
      .map((word) => `${word} (${name})`),
  );

describe('the words of exported names', () => {
  // When this fails, take a word of the field instead, or add it to name-words.txt: the list is read in review.
  it('stand in name-words.txt', () => {
    const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !file.includes('migrations'))
      .map((file) => path.join(root, 'src', file));
    const names = files.flatMap((file) => namesIn(file, readFileSync(file, 'utf8')));
    expect(names.length).toBeGreaterThan(5_000);
    expect(unknownIn(names)).toEqual([]);
  });

  it('are refused when they are of no list', () => {
    const planted = 'export class Sighter { gossip() {} private hide() {} }\nexport type Wisher = 1;';
    expect(unknownIn(namesIn('planted.ts', planted))).toEqual([
      'sighter (Sighter)',
      'gossip (gossip)',
      'wisher (Wisher)',
    ]);
  });

  it('that were given up do not come back', () => {
    expect(GIVEN_UP.filter((word) => WORDS.has(word))).toEqual([]);
  });
});
