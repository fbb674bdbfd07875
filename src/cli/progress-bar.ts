const WIDTH = 30;

/** Shows progress in one line. A terminal line is overwritten; elsewhere only the final state is printed. */
export class ProgressBar {
  private line = '';

  constructor(private readonly total: number) {}

  show(done: number, note: string): void {
    const share = this.total === 0 ? 1 : Math.min(1, done / this.total);
    const filled = Math.round(share * WIDTH);
    this.line = `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${String(Math.round(share * 100)).padStart(3)} %  ${note}`;
    if (process.stdout.isTTY) process.stdout.write(`\r${this.line}\u001b[K`);
  }

  end(): void {
    if (this.line !== '') process.stdout.write(process.stdout.isTTY ? '\n' : `${this.line}\n`);
  }
}
