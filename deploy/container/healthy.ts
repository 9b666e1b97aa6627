/** The image's health check: exit code 0 while the process beside it says that it is ready. */
const { HEALTH_PORT } = process.env;
try {
	const { ok } = await fetch(`http://127.0.0.1:${HEALTH_PORT}/ready`, { signal: AbortSignal.timeout(4_000) });
	process.exitCode = ok ? 0 : 1;
} catch {
	// It is not listening (yet): said by the exit code, as often as it is asked.
	process.exitCode = 1;
}
