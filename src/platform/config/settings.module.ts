import { Module, type DynamicModule } from '@nestjs/common';
import type { SettingValues } from './settings.js';

/** The validated settings as an injectable: one frozen object for all modules. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging, typescript/no-extraneous-class -- an injection token; see the interface below
export abstract class Settings {
  static of(values: SettingValues): Settings {
    return Object.freeze({ ...values });
  }
}
// Declaration merging gives the class the fields of SettingValues without repeating them.
// oxlint-disable-next-line typescript/no-empty-object-type -- Settings.of makes the object whole
export interface Settings extends SettingValues {}

/** Returns the public base URL of the service, without a slash at its end. */
export const baseUrlOf = ({ publicUrl, host, port }: Settings): string =>
  (publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, '');

/** True if a submission may name a sandbox scenario, which replaces its content. Never in ENVIRONMENT=production. */
export const allowsSandboxScenarios = ({ environment, nodeEnv, sandboxScenarios }: Settings): boolean =>
  environment === 'sandbox' &&
  (sandboxScenarios === 'on' || (sandboxScenarios === 'development' && nodeEnv !== 'production'));

@Module({})
export class SettingsModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: SettingsModule,
      global: true,
      providers: [{ provide: Settings, useValue: settings }],
      exports: [Settings],
    };
  }
}
