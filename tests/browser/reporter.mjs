// Prints the tests that fail, why, those that take more than ten seconds, and the line that tools/run-tests counts.
const SLOW = 10_000; // milliseconds

export default async function* report(events) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for await (const { type, data } of events) {
        if (type === "test:diagnostic" && data.nesting > 0) continue;
        if (type === "test:stderr" || type === "test:stdout") yield data.message;
        if (type !== "test:pass" && type !== "test:fail") continue;
        if (data.details?.type === "suite" || data.file === data.name) continue; // it holds tests that are counted themselves
        const duration = data.details?.duration_ms ?? 0;
        if (duration > SLOW) yield `${(duration / 1000).toFixed(1)} s: ${data.name}\n`;
        if (data.skip !== undefined) {
            count.skipped++;
            yield `skipped: ${data.name}: ${data.skip}\n`;
        } else if (type === "test:pass") count.passed++;
        else {
            count.failed++;
            const error = data.details.error;
            yield `FAILED: ${data.name}\n${error.cause?.stack ?? error.stack ?? error}\n`;
        }
    }
    yield `${count.passed} passed, ${count.failed} failed${count.skipped ? `, ${count.skipped} skipped` : ""}\n`;
}
