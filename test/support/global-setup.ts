import { spawnSync } from "node:child_process";
import { root } from "../../deploy/local/data-dir.ts";
import { timePhase } from "./times.ts";

/** vitest runs this once for each project, before its first test file. */
export default async function setUp(): Promise<undefined | (() => Promise<void>)> {
	// Another project of this run has started them, and ends after this one.
	if (process.env.TEST_POSTGRES_TEMPLATE) return;
	// A gateway does not start without its pages, and those that were built may be of older sources.
	const program = `${root}/deploy/local/build-pages.mjs`;
	const build = () => spawnSync(process.execPath, [program], { stdio: ["ignore", 2, 2] });
	const { status } = await timePhase("pages", build);
	if (status !== 0) throw new Error("the pages could not be built");
	// Not before: each project would load the same metrics once more.
	const { startServers } = await import("./servers.ts");
	const servers = await startServers();
	return async () => {
		await servers[Symbol.asyncDispose]();
	};
}
