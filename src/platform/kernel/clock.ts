/** The source of the current time. Services ask for it by this token, so that a test can move time. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}
