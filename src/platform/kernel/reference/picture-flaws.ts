/** Reasons why a picture is refused. The hosted page explains them to the person. */
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
