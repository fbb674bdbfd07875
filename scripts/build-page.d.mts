/** Builds the page for end users where it is missing or older than its sources. */
export declare function buildPage(): Promise<void>;
