/** The surroundings of the page: time, light, and other devices with the same link. */
import { useEffect, useState } from 'preact/hooks';

// With a phone on the same network both stay far below the limit of calls.
const FOLLOW_MS = 4_000;

/** Calls back when the link runs out, by this device's clock; the service is asked whether that is so. */
export function useExpiry(expiresAt: string | null, onExpiry: () => void): void {
  useEffect(() => {
    const left = expiresAt === null ? Number.NaN : Date.parse(expiresAt) - Date.now();
    // Beyond about 24 days a timer would fire at once.
    if (Number.isNaN(left) || left > 2 ** 31 - 1) return;
    const timer = setTimeout(onExpiry, Math.max(left, 0) + 1_000);
    return () => {
      clearTimeout(timer);
    };
  }, [expiresAt]);
}

/** Whether the person wants dark pages. */
export function useDark(): boolean {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setIsDark] = useState(query.matches);
  useEffect(() => {
    const change = (): void => {
      setIsDark(query.matches);
    };
    query.addEventListener('change', change);
    return () => {
      query.removeEventListener('change', change);
    };
  }, []);
  return isDark;
}

/** Reads the session anew when the page is looked at again, and again and again while another device goes on with it. */
export function useFollowing(handedOver: boolean | null, read: () => Promise<void>): void {
  useEffect(() => {
    if (handedOver === null) return;
    const look = (): void => {
      if (document.visibilityState === 'visible') void read();
    };
    const timer = handedOver ? setInterval(look, FOLLOW_MS) : undefined;
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [handedOver, read]);
}
