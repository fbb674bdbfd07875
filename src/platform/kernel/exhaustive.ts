/** Makes a switch over a union fail to compile when a case is missing. */
export const assertNever = (value: never): never => {
  throw new Error(`unexpected variant ${typeof value}`);
};
