import { describe, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { registration, Registry, RegistryModule } from './index.js';

const Greeting = registration<(name: string) => string, 'pt' | 'en'>('greeting');

@Injectable()
class Greetings {
  readonly mark = '!';

  @Greeting('pt')
  portuguese(name: string): string {
    return `Olá, ${name}${this.mark}`;
  }

  @Greeting('en')
  english(): string {
    return `Hello${this.mark}`;
  }
}

@Injectable()
class Misfits {
  // @ts-expect-error a result of another type does not compile
  @Greeting('en')
  count(name: string): number {
    return name.length;
  }
}

async function registry(...providers: Type[]): Promise<Registry> {
  const module = await Test.createTestingModule({
    imports: [RegistryModule],
    providers: [...providers, { provide: 'alias', useExisting: Greetings }],
  }).compile();
  await module.init();
  return module.get(Registry);
}

describe('Registry', () => {
  it('finds the methods that carry a decorator, each by its key and once', async () => {
    const found = (await registry(Greetings)).methodsOf(Greeting);
    expect([...found].map(([key, { owner, call }]) => [key, owner, call('Ana')])).toEqual([
      ['pt', 'Greetings.portuguese', 'Olá, Ana!'],
      ['en', 'Greetings.english', 'Hello!'],
    ]);
  });

  it('stops the start when two methods are for one key', async () => {
    await expect(registry(Greetings, Misfits)).rejects.toThrow(
      'greeting en: both Greetings.english and Misfits.count',
    );
  });
});
