import { Injectable } from '@nestjs/common';

/** Wakes the relay of this process after a commit, ahead of its next poll. */
@Injectable()
export class RelaySignal {
  private listener: (() => void) | undefined;

  wake(): void {
    this.listener?.();
  }

  onWake(listener: () => void): void {
    this.listener = listener;
  }
}
