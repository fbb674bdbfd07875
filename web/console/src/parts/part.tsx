import { useEffect, useState, type ComponentType, type ReactElement } from 'react';
import { Problem } from '../api/problem.js';
import { Failure, Skeleton } from './answers.js';

/**
 * A part of a screen that is loaded when it is shown. Where it does not come, this part alone says so, and is asked for
 * again by the person; `lines` is how much room its skeleton takes.
 */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  lines = 3,
): (props: P) => ReactElement {
  let known: ComponentType<P> | null = null;
  return function Part(props) {
    const [Loaded, setLoaded] = useState<ComponentType<P> | null>(() => known);
    const [attempt, setAttempt] = useState(0);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (known !== null) return;
      load().then(
        (component) => {
          known = component;
          setLoaded(() => component);
        },
        () => {
          setFailed(true);
        },
      );
    }, [attempt]);
    if (Loaded !== null) return <Loaded {...props} />;
    if (!failed) return <Skeleton lines={lines} />;
    return (
      <Failure
        error={new Problem('PART_MISSING', 0)}
        retry={() => {
          setFailed(false);
          setAttempt(attempt + 1);
        }}
      />
    );
  };
}
