// Learners give way to the screen: where frames are missing, they rest longer between their blocks.

import { useEffect } from "preact/hooks";

const SPAN = 500; // milliseconds over which frames are counted
const SMOOTH = 55; // frames a second
const [STEP, LONGEST] = [4, 16]; // milliseconds of rest

// Watches frames while an agent learns; rest(ms) tells the learners.
export function usePace(learning, rest) {
  useEffect(() => {
    if (!learning) return undefined;
    let [began, frames, now, handle] = [performance.now(), 0, 0, 0];
    const look = () => {
      frames++;
      const passed = performance.now() - began;
      if (passed >= SPAN) {
        const smooth = (1000 * frames) / passed >= SMOOTH;
        const next = Math.max(0, Math.min(LONGEST, now + (smooth ? -1 : STEP)));
        if (next !== now) rest(next);
        [began, frames, now] = [performance.now(), 0, next];
      }
      handle = requestAnimationFrame(look);
    };
    handle = requestAnimationFrame(look);
    return () => cancelAnimationFrame(handle);
  }, [learning]);
}
