import type { Feature, FeatureSchema, FactValue } from '../../language/index.js';

const MAX_TEXT = 0xffff;
const IDENTITY_BYTES = 16;
/** Type codes of single values. */
export const [NUMBER, TEXT, TRUTH] = [0, 1, 2];

// One buffer for all writers: facts are written synchronously, one sheet after another.
let scratch = Buffer.allocUnsafe(4_096);

/** Writes facts, little-endian. */
export class FactWriter {
  private position = 0;

  u8(value: number): void {
    this.ensureRoom(1);
    this.position = scratch.writeUInt8(value, this.position);
  }

  u16(value: number): void {
    this.ensureRoom(2);
    this.position = scratch.writeUInt16LE(value, this.position);
  }

  f64(value: number): void {
    this.ensureRoom(8);
    this.position = scratch.writeDoubleLE(value, this.position);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    if (length > MAX_TEXT) throw new Error('a fact is too long to store');
    this.u16(length);
    this.ensureRoom(length);
    this.position += scratch.write(value, this.position);
  }

  identity(hex: string): void {
    this.ensureRoom(IDENTITY_BYTES);
    this.position += scratch.write(hex, this.position, 'hex');
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
    const before = this.position;
    this.u16(0);
    let count = 0;
    for (const item of items) if (write(item)) count += 1;
    scratch.writeUInt16LE(count, before);
  }

  bytes(): Buffer {
    return Buffer.from(scratch.subarray(0, this.position));
  }

  private ensureRoom(more: number): void {
    if (this.position + more <= scratch.length) return;
    const larger = Buffer.allocUnsafe(2 * scratch.length + more);
    scratch.copy(larger, 0, 0, this.position);
    scratch = larger;
  }
}

/** The last view, cached: a back-test reads thousands of facts from the same bytes. */
let cachedView: { readonly buffer: Buffer; readonly view: DataView } | null = null;

function viewOf(buffer: Buffer): DataView {
  if (cachedView?.buffer !== buffer) {
    cachedView = { buffer, view: new DataView(buffer.buffer, buffer.byteOffset, buffer.length) };
  }
  return cachedView.view;
}

/** Reads what `FactWriter` wrote; throws where it ends too early. */
export class FactReader {
  private readonly view: DataView;

  constructor(
    private readonly buffer: Buffer,
    private position: number,
    private readonly endAt: number,
  ) {
    this.view = viewOf(buffer);
  }

  u8(): number {
    const value = this.view.getUint8(this.position);
    this.position += 1;
    return value;
  }

  u16(): number {
    const value = this.view.getUint16(this.position, true);
    this.position += 2;
    return value;
  }

  f64(): number {
    const value = this.view.getFloat64(this.position, true);
    this.position += 8;
    return value;
  }

  text(): string {
    const length = this.u16();
    const end = this.position + length;
    if (end > this.endAt) throw new RangeError('stored facts end too early');
    const value = this.buffer.toString('utf8', this.position, end);
    this.position = end;
    return value;
  }

  identity(): string {
    const end = this.position + IDENTITY_BYTES;
    if (end > this.endAt) throw new RangeError('stored facts end too early');
    const value = this.buffer.toString('hex', this.position, end);
    this.position = end;
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
    for (let remaining = this.u16(); remaining > 0; remaining -= 1) {
      const feature = this.feature(schema);
      if (feature) features.push(feature);
    }
    return features;
  }

  end(): void {
    if (this.position !== this.endAt) throw new RangeError('stored facts have something behind them');
  }
}
