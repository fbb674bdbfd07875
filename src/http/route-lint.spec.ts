import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { routesDeclareAccess } from '../../eslint.routes.js';

/** What `npm run check` says about a controller with these decorators. */
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
    'fails for a route that does not say who may call it: @%s',
    (verb) => {
      expect(complaints(`@Controller('x')`, `@${verb}('y')`)).toEqual([
        expect.stringContaining('Say who may call'),
      ]);
    },
  );

  it('fails for a route that is kept out of the document', () => {
    const message = 'Every route stands in its OpenAPI document.';
    expect(complaints(`@Controller('x')`, `@Get() @Public() @ApiExcludeEndpoint()`)).toEqual([message]);
    expect(complaints(`@ApiExcludeController() @Controller('x')`, `@Get() @Public()`)).toEqual([message]);
  });

  it.each(['ForClient("kyt:read")', 'ForOperator()', 'Public()', 'Internal()'])(
    'passes one with @%s',
    (access) => {
      expect(complaints(`@Controller('x')`, `@Get('y') @${access}`)).toEqual([]);
    },
  );

  it('passes the probes, which say it for the whole class, and methods that are no routes', () => {
    expect(complaints(`@Controller() @Internal()`, `@Get('health')`)).toEqual([]);
    expect(complaints(`@Controller()`, `@OnEvent('x')`)).toEqual([]);
  });
});
