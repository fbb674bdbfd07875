import { Injectable } from '@nestjs/common';
import { execute, system, UnitOfWork } from '../database/index.js';
import { Periodic } from '../schedule/index.js';
import { REMOVE_OLD_LOGINS } from './store/login.statements.js';

const SWEEP_MS = 10 * 60_000;

/** Removes what no login needs any more. */
@Injectable()
export class OperatorsSweep {
  constructor(private readonly uow: UnitOfWork) {}

  @Periodic({ everyMs: SWEEP_MS, otherwise: 'old logins stay', runsIn: 'workers' })
  async sweep(): Promise<void> {
    for (const statement of REMOVE_OLD_LOGINS) {
      await this.uow.run(system('operators.sweep'), (tx) => execute(tx, statement, []));
    }
  }
}
