import type { Feature, FeatureSchema, FactValue } from '../../language/index.js';

const MAX_TEXT = 0xffff;
const IDENTITY_BYTES = 16;
/** Type codes of single values. */
export const [NUMBER, TEXT, TRUTH] = [0, 1, 2];

// One buffer for all writers: facts are written synchronously, one sheet after another.
let scratch = Buffer.allocUnsafe(4_096);

/** Writes facts, little-endian. */
export class FactWriter {
  private at = 0;

  u8(value: number): void {
    this.room(1);
    this.at = scratch.writeUInt8(value, this.at);
  }

  u16(value: number): void {
    this.room(2);
    this.at = scratch.writeUInt16LE(value, this.at);
  }

  f64(value: number): void {
    this.room(8);
    this.at = scratch.writeDoubleLE(value, this.at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    if (length > MAX_TEXT) throw new Error('a fact is too long to store');
    this.u16(length);
    this.room(length);
    this.at += scratch.write(value, this.at);
  }

  identity(hex: string): void {
    this.room(IDENTITY_BYTES);
    this.at += scratch.write(hex, this.at, 'hex');
  }

  numbers(numbers: readonly number[]): void {
    this.each(numbers, (number) => {
      this.u16(number);
    });
  }

  each<T>(items: readonly T[], write: (item: T) => void): void {
    this.u16(items.length);
    for (const item of items) write(item);
  }

  /** Writes items like `each`, but counts only those for which `write` returns true. */
  some<T>(items: readonly T[], write: (item: T) => boolean): void {
    const before = this.at;
    this.u16(0);
    let count = 0;
    for (const item of items) if (write(item)) count += 1;
    scratch.writeUInt16LE(count, before);
  }

  bytes(): Buffer {
    return Buffer.from(scratch.subarray(0, this.at));
  }

  private room(more: number): void {
    if (this.at + more <= scratch.length) return;
    const larger = Buffer.allocUnsafe(2 * scratch.length + more);
    scratch.copy(larger, 0, 0, this.at);
    scratch = larger;
  }
}

/** The last view, cached: a back-test reads thousands of facts from the same bytes. */
let viewed: { readonly buffer: Buffer; readonly view: DataView } | null = null;

function viewOf(buffer: Buffer): DataView {
  if (viewed?.buffer !== buffer) {
    viewed = { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length) };
  }
  return viewed.view;
}

/** Reads what `FactWriter` wrote; throws where it ends too early. */
export class FactReader {
  private readonly view: DataView;

  constructor(
    private readonly buffer: Buffer,
    private at: number,
    private readonly last: number,
  ) {
    this.view = viewOf(buffer);
  }

  u8(): number {
    const value = this.view.getUint8(this.at);
    this.at += 1;
    return value;
  }

  u16(): number {
    const value = this.view.getUint16(this.at, true);
    this.at += 2;
    return value;
  }

  f64(): number {
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  text(): string {
    const length = this.u16();
    const end = this.at + length;
    if (end > this.last) throw new RangeError('stored facts end too early');
    const value = this.buffer.toString('utf8', this.at, end);
    this.at = end;
    return value;
  }

  identity(): string {
    const end = this.at + IDENTITY_BYTES;
    if (end > this.last) throw new RangeError('stored facts end too early');
    const value = this.buffer.toString('hex', this.at, end);
    this.at = end;
    return value;
  }

  /** Reads a value with this type code. */
  single(kind: number): FactValue {
    switch (kind) {
      case NUMBER:
        return this.f64();
      case TRUTH:
        return this.u8() === 1;
      case TEXT:
        return this.text();
      default:
        throw new RangeError('stored facts hold a value of no kind');
    }
  }

  /** Reads the number of a feature and returns the feature; null if the feature was removed. */
  feature(schema: FeatureSchema): Feature | null {
    return schema.findByNumber(this.u16());
  }

  features(schema: FeatureSchema): Feature[] {
    const features: Feature[] = [];
    for (let left = this.u16(); left > 0; left -= 1) {
      const feature = this.feature(schema);
      if (feature) features.push(feature);
    }
    return features;
  }

  end(): void {
    if (this.at !== this.last) throw new RangeError('stored facts have something behind them');
  }
}
