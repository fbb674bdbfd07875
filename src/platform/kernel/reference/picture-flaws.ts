/** The flaws of a picture. The page of a session tells them in the person's words. */
export const pictureFlaws = [
  'WRONG_SUBJECT',
  'LOW_RESOLUTION',
  'TOO_DARK',
  'LOW_CONTRAST',
  'BLURRED',
  'GLARE',
  'CUT_OFF',
] as const;
export type PictureFlaw = (typeof pictureFlaws)[number];
