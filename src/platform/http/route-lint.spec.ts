import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { routesDeclareAccess } from '../../../eslint.routes.js';

/** Returns the complaints of `npm run check` about a controller with these decorators. */
function complaints(onClass: string, onMethod: string): string[] {
  const source = `${onClass}\nexport class AController {\n  ${onMethod}\n  list(): void {}\n}\n`;
  const messages = new Linter().verify(
    source,
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      rules: { 'no-restricted-syntax': ['error', ...routesDeclareAccess] },
    },
    'a.controller.ts',
  );
  return messages.map(({ message }) => message);
}

describe('npm run check', () => {
  it.each(['Get', 'Post', 'Put', 'Patch', 'Delete'])(
    'fails for a route that is declared without Route, which asks who may call it: @%s',
    (verb) => {
      // ASVS 8.3.1
      expect(complaints(`@Controller('x')`, `@${verb}('y')`)).toEqual([
        expect.stringContaining('asks who may call it'),
      ]);
    },
  );

  it('fails for a route that is kept out of the document', () => {
    const message = 'Every route stands in its OpenAPI document.';
    const route = `@Route.get('', forEverybody, { summary: '' })`;
    expect(complaints(`@Controller('x')`, `${route} @ApiExcludeEndpoint()`)).toEqual([message]);
    expect(complaints(`@ApiExcludeController() @Controller('x')`, route)).toEqual([message]);
  });

  it('passes one that is declared with Route, and methods that are no routes', () => {
    expect(complaints(`@Controller('x')`, `@Route.get('y', forOperator(), { summary: '' })`)).toEqual([]);
    expect(complaints(`@Controller()`, `@OnEvent('x')`)).toEqual([]);
  });
});
