import { describe, expect, it } from '@jest/globals';
import { joinPath, safeFieldName } from './field-name.js';

describe('safeFieldName', () => {
  it.each([
    ['deviceId', 'deviceId'],
    ['device_id-2.x', 'device_id-2.x'],
    ['', '?'],
    ['a b', '?'],
    ['ana@example.com', '?'],
    ['nome_é', '?'],
    ['52998224725', '*'],
    ['cpf_529.982.247-25', 'cpf_*'],
    ['key11222333000181end', 'key*end'],
    ['12ABC34501DE35', '?'],
    ['doc.12.abc.345.01de-35', '?'],
    ['order1234567890', 'order1234567890'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('shows %j as %j', (name, shown) => {
    expect(safeFieldName(name)).toBe(shown);
  });
});

describe('joinPath', () => {
  it.each([
    ['', 'a', 'a'],
    ['a', 'b', 'a.b'],
    ['a[0]', 'b', 'a[0].b'],
    ['a', '', 'a'],
  ])('joins %j and %j', (path, field, joined) => {
    expect(joinPath(path, field)).toBe(joined);
  });
});
