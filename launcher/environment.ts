/** The variable; an empty one counts as not set, as in the settings of the service. */
export function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
