/** Returns the text in lower case and without accents, to compare spellings. */
export const foldText = (text: string | undefined): string | undefined =>
  text?.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const EARTH_KM = 6_371.0088;
const RADIANS = Math.PI / 180;

/**
 * Kilometres between two places along the surface (haversine, mean radius of the Earth), to the metre; NaN for a
 * latitude beyond 90 degrees or a longitude beyond 180.
 */
export function distanceKm(
  fromLatitude: number,
  fromLongitude: number,
  latitude: number,
  longitude: number,
): number {
  const isPlace =
    Math.abs(fromLatitude) <= 90 &&
    Math.abs(latitude) <= 90 &&
    Math.abs(fromLongitude) <= 180 &&
    Math.abs(longitude) <= 180;
  if (!isPlace) return NaN;
  const [a, b] = [fromLatitude * RADIANS, latitude * RADIANS];
  const across = Math.sin(((longitude - fromLongitude) * RADIANS) / 2);
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * across ** 2;
  return Math.round(2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h))) * 1_000) / 1_000;
}
