import { startServers } from "./servers.ts";

/** vitest runs this once, before the first test file that needs servers. */
export default async function setUp(): Promise<() => Promise<void>> {
	const servers = await startServers();
	return async () => {
		await servers[Symbol.asyncDispose]();
	};
}
