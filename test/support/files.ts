import sharp, { type Sharp } from 'sharp';

/** A picture with edges in it, so that it is neither blurred nor empty. */
export const aPicture = (width = 640, height = 480, seed = 1): Sharp => {
  const cells = 8;
  const rects = Array.from({ length: cells * cells }, (_, i) => {
    const shade = (i * 37 * seed + seed * 11) % 256;
    const x = (i % cells) * (width / cells);
    const y = Math.floor(i / cells) * (height / cells);
    return `<rect x="${x}" y="${y}" width="${width / cells}" height="${height / cells}" fill="rgb(${shade},${255 - shade},${(shade * 3) % 256})"/>`;
  });
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rects.join('')}</svg>`,
    ),
  );
};
