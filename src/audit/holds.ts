import { Injectable } from '@nestjs/common';
import type { Subject } from './trail-survey.js';

/** All subjects whose trails have to stay whatever their age, page by page. */
export type HoldSource = (organisationId: string) => AsyncIterable<readonly Subject[]>;

/** Where modules above Audit say which trails a legal hold keeps. */
@Injectable()
export class Holds {
  private readonly sources: HoldSource[] = [];

  register(source: HoldSource): void {
    this.sources.push(source);
  }

  /** The held subjects as `type:id`. Whoever prunes without knowing of any hold is a process that was put together wrong. */
  async of(organisationId: string): Promise<ReadonlySet<string>> {
    if (this.sources.length === 0) throw new Error('nobody knows of legal holds');
    const held = new Set<string>();
    for (const source of this.sources) {
      for await (const page of source(organisationId)) {
        for (const { type, id } of page) held.add(`${type}:${id}`);
      }
    }
    return held;
  }
}
