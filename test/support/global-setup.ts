/** vitest runs this once a project, before its first test file. */
export default async function setUp(): Promise<undefined | (() => Promise<void>)> {
	// Another project of this run has started them, and ends after this one.
	if (process.env.TEST_POSTGRES_TEMPLATE) return;
	// Not before: each project would load the same metrics once more.
	const { startServers } = await import("./servers.ts");
	const servers = await startServers();
	return async () => {
		await servers[Symbol.asyncDispose]();
	};
}
