import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { forwardedFor, readForwardedFor } from './forwarded-for.js';

describe('X-Forwarded-For', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['203.0.113.7:51234', ['203.0.113.7']],
    ['[2001:db8::5]:443', ['2001:db8::5']],
    ['"[2001:DB8:0::5]:443"', ['2001:db8::5']],
    ['[2001:db8::5]', ['2001:db8::5']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['203.0.113.7:51234, 10.0.0.1:80,10.0.0.2', ['203.0.113.7', '10.0.0.1', '10.0.0.2']],
  ])('%s is read', (header, addresses) => {
    expect(forwardedFor(header)).toEqual({ addresses, isWhole: true });
  });

  it.each([
    ['unknown', []],
    ['', []],
    ['203.0.113.7, unknown', []],
    ['unknown, 203.0.113.7', ['203.0.113.7']],
    ['_hidden, 203.0.113.7:1, 10.0.0.1', ['203.0.113.7', '10.0.0.1']],
    ['999.1.1.1, 10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8', []],
  ])('%s is believed as far as it is one', (header, addresses) => {
    expect(forwardedFor(header)).toEqual({ addresses, isWhole: false });
  });

  it('is only touched when a trusted proxy sent it, and complained of once', () => {
    const warned: string[] = [];
    const read = readForwardedFor((address) => address === '10.0.0.1', {
      warn: (text: string) => warned.push(text),
    });
    const after = (remoteAddress: string, header: string): unknown => {
      const request = { headers: { 'x-forwarded-for': header }, socket: { remoteAddress } };
      read(request as unknown as Request, {} as Response, () => undefined);
      return request.headers['x-forwarded-for'];
    };
    expect(after('192.0.2.1', 'nobody')).toBe('nobody');
    expect(warned).toEqual([]);
    expect(after('10.0.0.1', 'nobody')).toBe('');
    expect(after('10.0.0.1', 'nobody else')).toBe('');
    expect(after('10.0.0.1', '203.0.113.7:9')).toBe('203.0.113.7');
    expect(warned).toHaveLength(1);
    expect(warned[0]).not.toContain('nobody');
  });
});
