/** The address under which the build serves a file. */
declare module '*.wasm?url' {
  const address: string;
  export = address;
}
