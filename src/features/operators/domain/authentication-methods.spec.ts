import { expect, it } from '@jest/globals';
import { includesSecondFactor } from './authentication-methods.js';

it.each([
  ['face'],
  ['fpt'],
  ['hwk'],
  ['swk'],
  ['pwd'],
  ['face', 'fpt'],
  ['hwk', 'swk'],
  ['pwd', 'pin'],
  ['user'],
  [],
])('%j %j is no second factor', (...methods: string[]) => {
  expect(includesSecondFactor(methods)).toBe(false);
});

it.each([['mfa'], ['otp'], ['pwd', 'otp'], ['pwd', 'hwk'], ['pin', 'swk'], ['hwk', 'fpt'], ['pwd', 'face']])(
  '%j %j is one',
  (...methods: string[]) => {
    expect(includesSecondFactor(methods)).toBe(true);
  },
);

it.each([undefined, null, 'mfa', 7, { 0: 'mfa' }, [['mfa']]])('%j says nothing', (amr) => {
  expect(includesSecondFactor(amr)).toBe(false);
});
