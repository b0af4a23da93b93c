// Time as the page tells it: one number that the plots and the animation share.

/**
 * @param {number} first
 * @param {number} last
 */
export function createClock(first, last) {
    const listeners = new Set();
    const reasonsToWait = new Set();
    let time = first;
    let playing = false;
    let speed = 1;
    let loops = true;
    let frame = 0;
    let before = null; // when the last frame was drawn, ms

    const tell = () => listeners.forEach(listener => listener(clock));

    function advance(now) {
        const passed = before === null ? 0 : (now - before) / 1000;
        before = now;
        let next = time + Math.sign(last - first) * speed * passed;
        if ((next - last) * (last - first) >= 0 && passed > 0) {
            if (loops) next = first;
            else {
                next = last;
                playing = false;
            }
        }
        time = next;
        schedule();
        tell();
    }

    function schedule() {
        const runs = playing && reasonsToWait.size === 0;
        cancelAnimationFrame(frame);
        if (runs) frame = requestAnimationFrame(advance);
        else before = null;
    }

    const clock = {
        first,
        last,
        time: () => time,
        playing: () => playing,
        loops: () => loops,
        setTime(value) {
            const [low, high] = first <= last ? [first, last] : [last, first];
            time = Math.min(high, Math.max(low, value));
            tell();
        },
        setSpeed(value) {
            speed = value;
        },
        setLoop(value) {
            loops = value;
        },
        play() {
            if (time === last) time = first;
            playing = true;
            schedule();
            tell();
        },
        pause() {
            playing = false;
            schedule();
            tell();
        },
        /** Playing goes on when every reason to wait is gone. */
        wait(reason, holds) {
            if (holds) reasonsToWait.add(reason);
            else reasonsToWait.delete(reason);
            schedule();
        },
        onChange(listener) {
            listeners.add(listener);
        },
    };
    return clock;
}
