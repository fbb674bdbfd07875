import { describe, expect, it } from '@jest/globals';
import { scoreNames } from './pair-scorer.js';

const score = (one: string, two: string): number => scoreNames(one, two, 'PERSON').score;

describe('what is in common says how many people it may be', () => {
  it.each([
    ['two frequent words of a longer name', 'Ibrahim Mustafa', 'إبراهيم مصطفى الزرقاوي'],
    ['two syllables of three', 'Kim Chol', 'Kim Mun Chol'],
    ['two frequent words, one on either side left', 'Carlos Silva', 'João Carlos Pereira da Silva'],
    ['an initial and a frequent name', 'J. Silva', 'José Silva'],
  ])('%s are not enough to be stored: %s, %s', (_, one, two) => {
    expect(score(one, two)).toBeLessThan(0.8);
  });

  it.each([
    ['rare words of a longer name', 'Quintanilha Szymborski', 'Ana Quintanilha Szymborski'],
    ['a whole name, however frequent', 'José da Silva', 'Jose Silva'],
    ['a whole frequent name with a slip', 'Carlos Rodrigues', 'Carlos Rodirgues'],
    ['an initial and a rare name', 'A. Szymborski Falkenrath', 'Ana Szymborski Falkenrath'],
  ])('%s are enough to decide: %s, %s', (_, one, two) => {
    expect(score(one, two)).toBeGreaterThanOrEqual(0.85);
  });

  it('a whole name that only sounds so in another script is stored, and decides only if a syllable is rare', () => {
    expect(score('김영철', 'Kim Yong Chol')).toBeGreaterThanOrEqual(0.8);
    expect(score('김영철', 'Kim Yong Chol')).toBeLessThan(0.85);
    expect(score('김정은', 'Kim Jong Un')).toBeGreaterThanOrEqual(0.85);
    expect(score('王伟', 'Wang Wei')).toBeLessThan(0.85);
    expect(score('王伟', '王偉')).toBe(1);
    expect(score('王伟', '王维')).toBeLessThan(0.8);
  });

  it('says how a score came about also where it was limited', () => {
    const { alignment } = scoreNames('Kim Chol', 'Kim Mun Chol', 'PERSON');
    expect(alignment.map(({ left, right, how }) => [left, right, how])).toEqual([
      ['kim', 'kim', 'EXACT'],
      ['chol', 'chol', 'EXACT'],
      [null, 'mun', 'MISSING'],
    ]);
  });
});

describe('names in Arabic letters', () => {
  it.each([
    ['حسن التكريتي', 'Hassan al-Tikriti'],
    ['محمد الزرقاوي', 'Mohamed Zarqawi'],
    ['سليمان الشمري', 'Souleymane al-Shammari'],
    ['عبد القدوس مظهری', 'Abdul Quddus Mazhari'],
    ['عبد السلام نوري', 'Abdulsalam Nuri'],
    ['نور الدين الحميدي', 'Nuruddin al-Humaydi'],
  ])('%s is %s', (written, latin) => {
    expect(score(written, latin)).toBeGreaterThanOrEqual(0.8);
  });

  it.each([
    ['حسن التكريتي', 'Hussein al-Tikriti'],
    ['حسن التكريتي', 'حسين التكريتي'],
    ['محمد التكريتي', 'Mahmoud al-Tikriti'],
    ['سليمان التكريتي', 'Salman al-Tikriti'],
    ['أحمد التكريتي', 'حامد التكريتي'],
  ])('%s is not %s', (written, other) => {
    expect(score(written, other)).toBeLessThan(0.85);
  });
});

it('letters that only look Latin are Latin beside words where they are mixed', () => {
  expect(score('РАК, Сhоl Nаm', 'PAK, Chol Nam')).toBe(1);
  expect(score('РАК Анна', 'RAK Anna')).toBe(1);
});
